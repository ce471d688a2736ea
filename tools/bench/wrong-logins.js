import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * A thread of its own, so that the logins do not hold up the measurement: opens its connections, says so, and at a word
 * sends all logins at once; then tells how many got which status, and how long it took. Each is for another account:
 * one alone would be throttled after ten.
 */
const { hostname, port, count } = workerData;
/** @type {Record<string, number>} */
const statuses = {};
const sockets = Array.from({ length: count }, () => connect(port, hostname));
await Promise.all(sockets.map((socket) => once(socket, 'connect')));
parentPort?.postMessage('ready');
if (parentPort) await once(parentPort, 'message');
const start = performance.now();
await Promise.all(
  sockets.map(async (socket, n) => {
    const credential = Buffer.from(`victim.${n}:a wrong password`).toString('base64');
    socket.write(`GET /items HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Basic ${credential}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    const status = answer.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    statuses[status] = (statuses[status] ?? 0) + 1;
    socket.destroy();
  }),
);
parentPort?.postMessage({ statuses, seconds: ((performance.now() - start) / 1000).toFixed(1) });
