"""A process in which many people watch one match, each as a browser does.

``python -m tests.concurrency.watchers URL ORIGIN COUNT LANGUAGE…``: opens COUNT sockets, in the
languages by turns, says ``ready`` when each has its first table, and after a line on its standard
input tells as JSON what came: for each socket when which version of the table did, in seconds.
"""

import asyncio
import json
import random
import re
import resource
import sys
import time

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

PING_SECONDS = 2.5
AT_ONCE = 50
VERSION = re.compile(r'<div id="table"[^>]* data-version="(\d+)"')
HEAD = 2000  # letters of a frame in which that stands


class Watcher:
    """One socket, and what came over it."""

    def __init__(self, url: str, origin: str, language: str) -> None:
        self.address = {
            "uri": url,
            "additional_headers": {"Origin": origin, "Accept-Language": language},
        }
        self.frames: list[tuple[float, int]] = []
        self.seated = asyncio.Event()

    async def watch(self) -> None:
        """Watch; connect again if the line breaks."""
        while True:
            try:
                await self.listen()
            except (OSError, WebSocketException):
                await asyncio.sleep(random.uniform(0.5, 3))

    async def listen(self) -> None:
        """Listen, and ask now and then whether the line is still there."""
        how = {"compression": None, "ping_interval": None, "open_timeout": 60, "proxy": None}
        async with connect(**self.address, **how) as socket:
            pings = asyncio.create_task(self.ping(socket.send))
            async for frame in socket:
                if table := VERSION.search(frame, 0, HEAD):
                    self.frames.append((time.monotonic(), int(table[1])))
                    self.seated.set()
            pings.cancel()

    async def ping(self, send) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            await send("ping")


async def main(url: str, origin: str, count: str, *languages: str) -> None:
    line = asyncio.Semaphore(AT_ONCE)
    watchers = [Watcher(url, origin, languages[n % len(languages)]) for n in range(int(count))]
    watching = []

    async def seat(watcher: Watcher) -> None:
        async with line:
            watching.append(asyncio.create_task(watcher.watch()))
            await watcher.seated.wait()

    await asyncio.gather(*map(seat, watchers))
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps([watcher.frames for watcher in watchers]), flush=True)
    for task in watching:
        task.cancel()


if __name__ == "__main__":
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(main(*sys.argv[1:]))
