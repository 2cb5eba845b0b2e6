// Sounds, made here by oscillators and a little noise: nothing is fetched. Silent until the reader
// has chosen them, and until the page has been touched: only then does a browser allow sound.
"use strict";

const sound = (() => {
  const VOLUME = 0.16;
  const NAMES = ["play", "capture", "basra", "turn", "low", "end"];
  const Context = window.AudioContext || window.webkitAudioContext;
  let context = null;
  let out = null;
  let noise = null;

  // iOS starts an audio context, and wakes one that a call has interrupted, only within a touch.
  function unlock() {
    if (!Context) return;
    if (!context) {
      context = new Context();
      out = context.createGain();
      out.gain.value = VOLUME;
      out.connect(context.destination);
      noise = hiss();
      const first = context.createBufferSource();
      first.buffer = context.createBuffer(1, 1, context.sampleRate);
      first.connect(context.destination);
      first.start();
    }
    if (context.state !== "running") context.resume().catch(() => {});
  }

  function hiss() {
    const buffer = context.createBuffer(1, context.sampleRate / 5, context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = 2 * Math.random() - 1;
    return buffer;
  }

  // One tone: struck at `at` seconds from now, gone after `length`.
  function tone(frequency, at, length, { type = "sine", loud = 1, to = frequency } = {}) {
    const start = context.currentTime + at;
    const [source, gain] = [context.createOscillator(), context.createGain()];
    source.type = type;
    source.frequency.setValueAtTime(frequency, start);
    if (to !== frequency) source.frequency.exponentialRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(loud, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    source.connect(gain).connect(out);
    source.start(start);
    source.stop(start + length + 0.02);
  }

  // A card on felt: a short hiss, low or high.
  function brush(at, length, frequency, loud = 0.8) {
    const start = context.currentTime + at;
    const [source, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()];
    source.buffer = noise;
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    source.connect(filter).connect(gain).connect(out);
    source.start(start, 0, length);
  }

  const made = {
    play: () => { brush(0, 0.07, 1400); tone(190, 0, 0.08, { loud: 0.6, to: 120 }); },
    capture: () => { brush(0, 0.06, 1500); brush(0.11, 0.16, 2600, 0.6); tone(260, 0.1, 0.12, { loud: 0.4, to: 180 }); },
    basra: () => [587, 740, 880, 1175].forEach((f, i) => tone(f, 0.07 * i, 0.32, { type: "triangle", loud: 0.8 })),
    turn: () => { tone(660, 0, 0.22, { loud: 0.6 }); tone(880, 0.1, 0.3, { loud: 0.5 }); },
    low: () => [0, 0.16].forEach((at) => tone(1050, at, 0.07, { type: "square", loud: 0.25 })),
    end: () => [440, 554, 659].forEach((f, i) => tone(f, 0.12 * i, 0.7, { type: "triangle", loud: 0.6 })),
  };

  // A sound asked for before the context runs is not made up for later.
  function play(name) {
    if (context?.state === "running") made[name]();
  }

  if (document.documentElement.hasAttribute("data-sounds")) {
    for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, unlock, { passive: true });
  }
  return { NAMES, play, unlock };
})();
