import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of its own, so that what it answers is not held up by the measurement: answers each request after a time, and
 * says at a word how many have come, and when each event came for the first time.
 */
/** @type {Map<string, number>} */
const firstAt = new Map();
let count = 0;
const server = createServer(async (request, response) => {
  count += 1;
  const event = `${request.url} ${String(request.headers['webhook-id'])}`;
  if (!firstAt.has(event)) firstAt.set(event, performance.timeOrigin + performance.now());
  request.resume();
  await sleep(workerData.delayMs);
  response.writeHead(204).end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
parentPort?.on('message', (word) => parentPort?.postMessage(word === 'times' ? firstAt : count));
parentPort?.postMessage(server.address());
