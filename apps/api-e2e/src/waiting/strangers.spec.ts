import { setTimeout as pause } from 'node:timers/promises';

import { HttpClient, startApp, type RunningApp, isLongForm } from '@items/testing';

import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';
import { HostileClients } from './hostile-clients.js';
import { Random } from '../harness/random.js';
import { WellBehaved } from './well-behaved.js';

const SECONDS = isLongForm ? 60 : 4;
const SEED = Number(process.env['STRANGERS_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
/** Time between two requests of the hostile clients together: at most a hundred a second. */
const PAUSE_MS = 10;
const QUIET_ROUNDS = 60;
/**
 * Maximum ratio to the waits of well-behaved clients alone, at the 90th percentile; shorter waits are always accepted.
 */
const RATIO = 5;
const SHORT_MS = 50;

describeStartedOnce(`§4 Hostile and broken clients cost other clients nothing (STRANGERS_SEED=${String(SEED)})`, () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
  });
  afterAll(() => app.stop());

  it(
    `every response to other clients is correct and in time, for ${String(SECONDS)} s`,
    async () => {
      const client = new HttpClient({ baseUrl: app.baseUrl, timeoutMs: 20_000 }).withHeaders([
        'X-API-Key',
        app.adminKey,
      ]);
      const wellBehaved = new WellBehaved(client);
      for (let round = 0; round < QUIET_ROUNDS / 3; round += 1) await wellBehaved.round();
      const quiet: number[] = [];
      for (let round = 0; round < QUIET_ROUNDS; round += 1) quiet.push(...(await wellBehaved.round()));

      const hostile = new HostileClients(app.port, new Random(SEED));
      const over = new AbortController();
      const attack = (async () => {
        while (!over.signal.aborted) {
          await hostile.act();
          await pause(PAUSE_MS);
        }
      })();
      const beset: number[] = [];
      for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
        beset.push(...(await wellBehaved.round()));
      }
      over.abort();
      await attack;
      hostile.close();

      expect(app.process.isRunning).toBe(true);
      expect(app.process.log()).not.toMatch(/"level":(?:"error"|"fatal"|[56]0)/);
      expect(beset.length).toBeGreaterThan(SECONDS * 5);
      expect(percentile90(beset)).toBeLessThan(Math.max(SHORT_MS, RATIO * percentile90(quiet)));
    },
    SECONDS * 1000 + 60_000,
  );
});

function percentile90(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.9)] ?? 0;
}
