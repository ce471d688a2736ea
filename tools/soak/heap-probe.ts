import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Loaded into the service by `npm run tool -- soak` (`node --import`). Reports the live heap after a garbage
 * collection, because no metric shows this value.
 */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** An artificial leak of SOAK_LEAK bytes a second, which the check must notice. */
const kept: string[][] = [];
const leak = Number(process.env['SOAK_LEAK'] ?? 0);
if (leak > 0) setInterval(() => kept.push(Array.from({ length: leak / 8 }, () => '')), 1000).unref();

process.on('message', () => {
  // Objects that finalizers release are collected only by the second run.
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ heapUsed, external, rss });
});
process.channel?.unref();
