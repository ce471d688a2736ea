import { LoadProcess } from './load/load-process.js';
import { ratioOf, sampleRounds } from './measure.js';
import { pin } from './pin.js';
import { gets, pages } from './rows/reads.js';
import { Systems } from './systems/systems.js';

/*
 * The check `speed` of `npm test`: limits the CPU time of a get and a cursor page of the built service relative to
 * bare Fastify, at half of each aim of `npm run bench`. A ratio of CPU times in neighbouring rounds is robust against
 * other load on the machine. See `npm run bench` for actual figures.
 */
const HALF_OF_AIM = { get: 0.4, page: 0.58 };
const ITEMS = 2000;
const CONNECTIONS = 32;
const effort = { rounds: 9, seconds: 3, count: 600, warmUp: 4000 };
/** A real regression also fails the second time. */
const ATTEMPTS = 2;

const systems = new Systems({ rows: ITEMS, node: process.execPath });
const generator = new LoadProcess();
try {
  pin(process.pid, 'load');
  const pair = await systems.sqlite();
  const rows = { get: gets(pair), page: await pages(pair) };
  for (const name of /** @type {const} */ (['get', 'page'])) {
    let best = 0;
    for (let attempt = 0; attempt < ATTEMPTS && best < HALF_OF_AIM[name]; attempt++) {
      const [baseline = [], service = []] = await sampleRounds(generator, rows[name], CONNECTIONS, effort);
      best = Math.max(best, ratioOf(baseline, service).median);
    }
    const told = `${name}: bare Fastify's CPU is ${best.toFixed(2)} of the service's, ${HALF_OF_AIM[name]} at least`;
    console.log(told);
    if (best < HALF_OF_AIM[name]) {
      console.error(`${told}. What costs so much? \`npm run tool -- bench-profile --rows ${name}\` tells.`);
      process.exitCode = 1;
    }
  }
} finally {
  generator.stop();
  await systems.stop();
}
