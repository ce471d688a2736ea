import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';

import { provideDatabase } from './database.js';
import { startService } from './service.js';

/**
 * `npm run tool -- bench-events`: measures what events cost writers. 16 clients create and replace items, alternately
 * on a service with events and on one with EVENTS=off.
 */
const { values: options } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '15' },
    milliseconds: { type: 'string', default: '700' },
    rows: { type: 'string', default: '5000' },
  },
});
const WRITERS = 16;

for (const dialect of options.databases.split(',')) {
  const places = /** @type {const} */ ([await provideDatabase(dialect), await provideDatabase(dialect)]);
  const [on, off] = [await open(places[0], 'on'), await open(places[1], 'off')];
  try {
    for (const service of [on, off]) await fill(service);
    for (const work of /** @type {const} */ (['insert', 'update'])) {
      await measure(dialect, work, on, off);
    }
  } finally {
    for (const service of [on, off]) await service.stop();
    for (const place of places) await place.drop();
  }
}

/** @typedef {Awaited<ReturnType<typeof open>>} Service */

/** @param {string} dialect @param {'insert' | 'update'} work @param {Service} on @param {Service} off */
async function measure(dialect, work, on, off) {
  const ratios = [];
  const cpu = /** @type {number[]} */ ([]);
  const rates = { on: /** @type {number[]} */ ([]), off: /** @type {number[]} */ ([]) };
  await rate(on, work);
  await rate(off, work);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // The services take turns in going first.
    const first = round % 2 === 0;
    const before = first ? await rate(on, work) : await rate(off, work);
    const after = first ? await rate(off, work) : await rate(on, work);
    const [withEvents, without] = first ? [before, after] : [after, before];
    rates.on.push(withEvents.rate);
    rates.off.push(without.rate);
    ratios.push(withEvents.rate / without.rate);
    cpu.push(without.cpuMicros / withEvents.cpuMicros);
  }
  const say = (/** @type {number[]} */ numbers) => String(Math.round(median(numbers)));
  console.log(
    `${dialect}: ${work}s a second ${say(rates.on)} with events, ${say(rates.off)} without: ` +
      `${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}); ` +
      `by CPU of the service ${median(cpu).toFixed(3)}`,
  );
}

/** @param {Service} service @param {'insert' | 'update'} work */
async function rate(service, work) {
  const cpuBefore = await service.cpuMicros();
  const begun = performance.now();
  const endsAt = begun + Number(options.milliseconds);
  let done = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (performance.now() < endsAt) {
        await service[work]();
        done += 1;
      }
    }),
  );
  const rate = (done / (performance.now() - begun)) * 1000;
  return { rate, cpuMicros: ((await service.cpuMicros()) - cpuBefore) / done };
}

/** @param {Service} service */
async function fill(service) {
  for (let left = Number(options.rows); left > 0; left -= WRITERS) {
    await Promise.all(Array.from({ length: WRITERS }, () => service.insert()));
  }
}

/** @param {Awaited<ReturnType<typeof provideDatabase>>} place @param {'on' | 'off'} events */
async function open({ url }, events) {
  const { process: server, address, headers } = await startService(url, { EVENTS: events });
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  /** @type {string[]} */
  const ids = [];
  let n = 0;
  const item = () => {
    n += 1;
    const description = n % 2 === 0 ? null : 'A mug as one would wish for, of stoneware';
    return { name: `Mug ${n}`, description, color: ['red', 'blue', null][n % 3] ?? null, price: n % 1000 };
  };
  /** @param {string} method @param {string} path @param {number} expected @returns {Promise<{ id: string }>} */
  const send = (method, path, expected) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(item());
      const own = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(address + path, { method, agent, headers: own }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part));
        answer.on('end', () => {
          if (answer.statusCode === expected) resolve(JSON.parse(text));
          else reject(new Error(`${answer.statusCode} ${text}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  return {
    cpuMicros: () => server.cpuMicros(),
    stop: async () => {
      agent.destroy();
      await server.stop();
    },
    insert: async () => {
      ids.push((await send('POST', '/items', 201)).id);
    },
    update: async () => {
      await send('PUT', `/items/${ids[Math.floor(Math.random() * ids.length)] ?? ''}`, 200);
    },
  };
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
