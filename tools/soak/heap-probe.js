import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Loaded into the service by `npm run tool -- soak` (`node --import`): tells of what is alive on the heap, which no metric does. The
 * service knows nothing of it.
 */
setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collect = runInNewContext('gc');
/** What SOAK_LEAK has it keep, to see that the check notices. @type {string[][]} */
const kept = [];
const leak = Number(process.env['SOAK_LEAK'] ?? 0);
if (leak > 0) setInterval(() => kept.push(Array.from({ length: leak / 8 }, () => '')), 1000).unref();

process.on('message', () => {
  // Twice: what a finaliser lets go goes with the second one.
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ heapUsed, external, rss });
});
process.channel?.unref();
