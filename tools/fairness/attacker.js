import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A client that sends its whole window as fast as it likes, over many connections. A thread of its own, so that it does not
 * hold up the measurement; it ends with what it was answered: statuses, and by name how long the responses took.
 */
const { address, key, count, connections, requests } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
/** @type {Record<string, number>} */
const statuses = {};
/** @type {Record<string, number>} */
const longestMs = {};
let next = 0;

/** @param {import('./worst-requests.js').Asked} asked */
function send({ name, method, path, headers, body }) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const beganAtMs = performance.now();
      const note = (/** @type {string} */ status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        longestMs[name] = Math.max(longestMs[name] ?? 0, Math.round(performance.now() - beganAtMs));
        resolve();
      };
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const options = { method, agent, headers: { 'x-api-key': key, ...json, ...headers } };
      const sent = request(`${address}${path}`, options, (response) => {
        response.resume();
        response.once('close', () => note(String(response.statusCode)));
      });
      sent.once('error', (error) => note(error.message));
      sent.end(body);
    })
  );
}

async function client() {
  while (next < count) await send(requests[next++ % requests.length]);
}

await Promise.all(Array.from({ length: connections }, client));
agent.destroy();
parentPort?.postMessage({ statuses, longestMs });
