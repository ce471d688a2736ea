import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { HttpClient, startApp, type RunningApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

const STRANGER = '127.0.0.66';
const SILENT = 4_096;
/** Number of requests on a connection without a reader: more responses than operating systems buffer. */
const IN_A_ROW = 40;
const REQUESTS_A_SECOND = 100;
const ROUNDS = 150;
const TRIALS = 3;
const GET = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';

function percentile99(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

/** Memory of a process; NaN if the system does not show it. */
function residentKb({ process: { pid } }: RunningApp): number {
  const file = `/proc/${String(pid)}/status`;
  return Number(existsSync(file) ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : Number.NaN);
}

describeStartedOnce(
  'One address with 4096 silent connections, and 100 requests a second whose responses it never reads',
  () => {
    let app: RunningApp;
    const sockets: Socket[] = [];

    beforeAll(async () => {
      app = await startApp({ database: databaseUnderTest() });
    });
    afterAll(async () => {
      for (const socket of sockets) socket.destroy();
      await app.stop();
    });

    const open = async (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect({ port: app.port, host: '127.0.0.1', localAddress: STRANGER }).pause();
        sockets.push(socket);
        for (const event of ['connect', 'error', 'close']) socket.on(event, () => resolve(socket));
      });

    /** Returns sorted milliseconds of requests on new and on reused connections; each response must be correct. */
    const asked = async (): Promise<number[]> => {
      const times: number[] = [];
      const others = [
        new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] }),
        new HttpClient({
          baseUrl: app.baseUrl,
          headers: [
            ['X-API-Key', app.adminKey],
            ['Connection', 'close'],
          ],
        }),
      ];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const client of others) {
          const began = performance.now();
          expectStatus(await client.get('/items?per_page=1'), 200);
          expectStatus(await client.get('/health/live'), 200);
          times.push(performance.now() - began);
        }
      }
      return times.sort((a, b) => a - b);
    };

    it('keep no other client waiting, and health always responds', async () => {
      await asked();
      // At least 10 ms, because less is noise of the machine.
      const bound = 5 * Math.max(percentile99(await asked()), 10);
      const residentBefore = residentKb(app);
      while (sockets.length < SILENT) await Promise.all(Array.from({ length: 128 }, open));
      const pipelining = setInterval(
        () => {
          void open().then((socket) => socket.write(GET.repeat(IN_A_ROW)));
        },
        (1000 * IN_A_ROW) / REQUESTS_A_SECOND,
      );
      let attacked = Number.POSITIVE_INFINITY;
      try {
        // Repeats, because other load on the machine is temporary, but a fault delays clients in each trial.
        for (let trial = 0; trial < TRIALS && attacked >= bound; trial += 1) attacked = percentile99(await asked());
      } finally {
        clearInterval(pipelining);
      }
      const grownMb = (residentKb(app) - residentBefore) / 1024;
      expect(Number.isNaN(grownMb) || grownMb < 120).toBe(true);
      expect(attacked).toBeLessThan(bound);
    });
  },
);
