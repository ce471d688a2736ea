import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A client that sends requests as fast as possible, over many connections, with one credential or several in rotation.
 * It runs in a separate thread, so that it does not delay the measurement. At the end it returns the number of
 * responses by status, and the longest latency by name.
 */
const { addresses, credentials, count, connections, requests, seconds } = workerData;
const endsAtMs = performance.now() + seconds * 1000;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
/** @type {Record<string, number>} */
const statuses = {};
/** @type {Record<string, number>} */
const longestMs = {};
let next = 0;
let sentInAll = 0;

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
      const credential = credentials[sentInAll % credentials.length];
      const address = addresses[sentInAll++ % addresses.length];
      const options = { method, agent, headers: { ...credential, ...json, ...headers } };
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
  while (next < count && performance.now() < endsAtMs) await send(requests[next++ % requests.length]);
}

await Promise.all(Array.from({ length: connections }, client));
agent.destroy();
parentPort?.postMessage({ statuses, longestMs });
