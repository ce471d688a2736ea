import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_MS = 100;

/**
 * Requests `/health/live` over a new connection ten times per second, like a load balancer, and returns the slowest time.
 */
export async function probeLive(port: number, until: AbortSignal): Promise<number> {
  const asked: Promise<number>[] = [];
  while (!until.aborted) {
    asked.push(liveMs(port));
    await sleep(PERIOD_MS);
  }
  return Math.max(...(await Promise.all(asked)));
}

function liveMs(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    socket.once('error', reject).once('data', (data) => {
      socket.destroy();
      if (data.toString('latin1', 9, 12) === '200') resolve(performance.now() - began);
      else reject(new Error(data.toString('latin1')));
    });
  });
}
