import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * Sends wrong logins from a separate thread, so that they do not delay the measurement. Opens its connections and
 * reports this. On a message, sends all logins concurrently and returns the number of responses by status and the
 * total time. Each login uses another account, because one account would be throttled after ten.
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
