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
const statuses = {};
const longestMs = {};
let sent = 0;

function send(n) {
  const { name, method, path, headers, body } = requests[n % requests.length];
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const credential = credentials[n % credentials.length];
  const beganAtMs = performance.now();
  return new Promise((resolve) => {
    const note = (status) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      longestMs[name] = Math.max(longestMs[name] ?? 0, Math.round(performance.now() - beganAtMs));
      resolve();
    };
    const options = { method, agent, headers: { ...credential, ...json, ...headers } };
    const outgoing = request(`${addresses[n % addresses.length]}${path}`, options, (response) => {
      response.resume();
      response.once('close', () => note(response.statusCode));
    });
    outgoing.once('error', (error) => note(error.message));
    outgoing.end(body);
  });
}

async function client() {
  while (sent < count && performance.now() < endsAtMs) await send(sent++);
}

await Promise.all(Array.from({ length: connections }, client));
agent.destroy();
parentPort.postMessage({ statuses, longestMs });
