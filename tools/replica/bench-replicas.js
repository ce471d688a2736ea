import { parseArgs } from 'node:util';

/*
 * `npm run tool -- bench-replicas`: measures memory and CPU of a service on SQLite with waiting replicas (Linux).
 */
const { values } = parseArgs({
  options: { count: { type: 'string', multiple: true, default: ['200', '1000', '2000'] } },
});
const { measureWaiting } = await import('./measure-waiting.js');
for (const count of values.count) {
  const { memory, idleShare, perChange, statuses } = await measureWaiting(Number(count));
  const cost = `${(1000 * perChange).toFixed(0)} ms of CPU for each change`;
  console.log(
    `${count} replicas: ${memory.toFixed(0)} MiB, ${(100 * idleShare).toFixed(1)} % CPU at rest, ${cost} (${statuses})`,
  );
}
process.exit(0);
