import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of its own, so that the logins do not hold up the measurement: sends them all at once, and tells how many
 * got which status, and how long it took. Each is for another account: one alone would be throttled after ten.
 */
const { address, count } = workerData;
/** @type {Record<number, number>} */
const statuses = {};
const start = performance.now();
await Promise.all(
  Array.from({ length: count }, async (_, n) => {
    const credential = Buffer.from(`victim.${n}:a wrong password`).toString('base64');
    const answer = await fetch(`${address}/items`, { headers: { authorization: `Basic ${credential}` } });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }),
);
parentPort?.postMessage({ statuses, seconds: (performance.now() - start) / 1000 });
