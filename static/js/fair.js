// The fair shuffle, recomputed by the reader's own browser (docs/rules.md, Fair shuffle 4 to 6).
// SHA-256 and HMAC are written out, since the browser's own are missing on plain http.
// FIPS 180-4 and RFC 2104 are the sources. Nothing here touches the page.
"use strict";

const fair = (() => {
  const RANKS = "A23456789TJQK";
  const SUITS = "cdhs";
  const ORDERED = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  const utf8 = new TextEncoder();

  // The first 32 bits of the fractional parts of the roots of the first primes.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
  const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const K = primes.map((p) => fraction(Math.cbrt(p)));
  const turn = (x, n) => (x >>> n) | (x << (32 - n));

  function sha256(bytes) {
    const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);
    const sum = [...START];
    const w = new Int32Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(block + 4 * i);
      for (let i = 16; i < 64; i++) {
        const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
        const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
      }
      let [a, b, c, d, e, f, g, h] = sum;
      for (let i = 0; i < 64; i++) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => { sum[i] = (sum[i] + x) | 0; });
    }
    const out = new DataView(new ArrayBuffer(32));
    sum.forEach((x, i) => out.setInt32(4 * i, x));
    return new Uint8Array(out.buffer);
  }

  function hmac(key, message) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const inner = new Uint8Array(64 + message.length);
    inner.set(block.map((x) => x ^ 0x36));
    inner.set(message, 64);
    const outer = new Uint8Array(96);
    outer.set(block.map((x) => x ^ 0x5c));
    outer.set(sha256(inner), 64);
    return sha256(outer);
  }

  const hex = (bytes) => [...bytes].map((x) => x.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (x) => parseInt(x, 16));

  function* numbers(seed, match, clientSeeds, stream) {
    for (let block = 0; ; block++) {
      const message = `basra-v1:${match}:${clientSeeds[0]}:${clientSeeds[1]}:${stream}:${block}`;
      const view = new DataView(hmac(unhex(seed), utf8.encode(message)).buffer);
      for (let i = 0; i < 32; i += 4) yield view.getUint32(i);
    }
  }

  function below(n, stream) {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      const x = stream.next().value;
      if (x < limit) return x % n;
    }
  }

  const commitment = (seed) => hex(sha256(unhex(seed)));
  const firstDealer = (seed, match, clientSeeds) => below(2, numbers(seed, match, clientSeeds, 0));

  function pack(seed, match, clientSeeds, deal) {
    const stream = numbers(seed, match, clientSeeds, deal);
    const cards = [...ORDERED];
    for (let i = 51; i > 0; i--) {
      const j = below(i + 1, stream);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return cards;
  }

  // The steps of the check of a record, in order: {step, deal?, ok, found, expected}.
  // `noted` is what this browser kept before the deal, or null: {commitment, seeds, seat}, with every
  // seed that it sent.
  function* check(record, noted) {
    const { server_seed: seed, match, client_seeds: clientSeeds } = record;
    const is = (step, found, expected, more) => ({ step, ok: found === expected, found, expected, ...more });
    yield is("commitment", record.commitment, /^[0-9a-f]{64}$/.test(seed) ? commitment(seed) : "");
    if (record.deals.length) {
      yield is("dealer", record.first_dealer, firstDealer(seed, match, clientSeeds));
      for (const [i, deal] of record.deals.entries()) {
        const told = deal.pack.join(" ");
        const made = pack(seed, match, clientSeeds, i + 1).join(" ");
        yield is("pack", told, made, { deal: i + 1 });
      }
    }
    if (!noted) {
      yield { step: "noted", ok: null };
    } else {
      const own = clientSeeds[noted.seat];
      const kept = `${noted.commitment} ${noted.seeds.includes(own) ? own : noted.seeds.at(-1)}`;
      yield is("noted", `${record.commitment} ${own}`, kept);
    }
  }

  return { sha256, hmac, hex, unhex, commitment, firstDealer, pack, check };
})();
