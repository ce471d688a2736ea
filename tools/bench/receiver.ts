import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A webhook receiver in a separate thread, so that the measurement does not delay its responses. Responds to each
 * request after a delay. On a message, returns the number of requests, or the first arrival time of each event.
 */
const firstAt = new Map<string, number>();
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
