import { Session } from 'node:inspector/promises';

/*
 * Loaded into a server with `node --import`. The message `profile` starts the sampling, `profiled` ends it and returns
 * the self time of each function.
 */
const SAMPLE_MICROS = 250;
const session = new Session();
session.connect();

process.on('message', (message) => {
  if (message === 'profile') void begin();
  if (message === 'profiled') void end();
});

async function begin() {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
  await session.post('Profiler.start');
  process.send?.('profiling');
}

async function end() {
  const { profile } = await session.post('Profiler.stop');
  process.send?.({ places: placesOf(profile) });
}

/**
 * @typedef {object} Place
 * @property {string} name of the function; V8 puts its own entries in parentheses.
 * @property {string} file as V8 reports it; empty for native code.
 * @property {string} caller file of the nearest JavaScript caller of native code.
 * @property {number} samples
 */

/** @param {import('node:inspector').Profiler.Profile} profile @returns {Place[]} */
function placesOf({ nodes, samples = [] }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<number, number>} */
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const id of samples) {
    const { functionName: name = '', url: file = '' } = byId.get(id)?.callFrame ?? {};
    let caller = '';
    for (let up = parents.get(id); file === '' && caller === '' && up !== undefined; up = parents.get(up)) {
      caller = byId.get(up)?.callFrame.url ?? '';
    }
    const key = `${name}\n${file}\n${caller}`;
    const place = places.get(key) ?? { name, file, caller, samples: 0 };
    place.samples += 1;
    places.set(key, place);
  }
  return [...places.values()];
}
