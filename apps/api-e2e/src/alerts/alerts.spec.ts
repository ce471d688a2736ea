import { setTimeout as sleep } from 'node:timers/promises';

import { postgresUnderTest, redisUnderTest, type DatabaseName } from '@items/testing';

import { describeStartedOnce } from '../harness/service.js';
import { SmallDisk } from '../harness/small-disk.js';
import { alertFaults, type AlertFault, type Caused } from './faults.js';
import { hasPrometheus, Prometheus } from './prometheus.js';
import { alerts, hurriedRules } from './rules.js';
import { emptyPanels, redTiles, tileOf } from './seen.js';
import { WatchedService } from './watched-service.js';

const LIMIT_MS = 180_000;
/** A test waits three times: before the fault, during it and after it. */
const TEST_LIMIT_MS = 4 * LIMIT_MS;

/** Firing alerts, and red tiles of dashboards. */
interface Seen {
  readonly alerts: readonly string[];
  readonly tiles: readonly string[];
}

const CALM: Seen = { alerts: [], tiles: [] };
const FAULTS = alertFaults();
const redis = redisUnderTest();
const lacks = hasPrometheus ? (redis === undefined ? 'there is no Redis' : undefined) : 'apt-get install prometheus';
if (lacks !== undefined) process.stderr.write(`SKIPPED: alerts of a real Prometheus: ${lacks}\n`);

(lacks === undefined ? describeStartedOnce : describe.skip)('Alerts fire for their faults alone', () => {
  let prometheus: Prometheus;

  beforeAll(async () => {
    prometheus = await Prometheus.start(hurriedRules());
  });
  afterAll(() => prometheus.stop());

  it('each alert has a fault', () => {
    const raised = FAULTS.flatMap((fault) => fault.alerts);
    expect([...new Set(raised)].sort()).toEqual(
      alerts()
        .map(({ alert }) => alert)
        .sort(),
    );
  });

  for (const fault of FAULTS) {
    const lack = fault.lack ?? lackOf(fault.database);
    const title = `${fault.alerts.join(', ')}: ${fault.title} (${fault.database})`;
    (lack === undefined ? it : it.skip)(title, () => expectAlerts(fault), TEST_LIMIT_MS);
  }

  it(
    'each query of each dashboard returns data of a healthy service',
    async () => {
      const databases = (['sqlite', 'postgres'] as const).filter((database) => lackOf(database) === undefined);
      const services: WatchedService[] = [];
      try {
        for (const database of databases) {
          const service = await WatchedService.start({ database, redis: redis! });
          services.push(service);
          prometheus.add(database, service.parts.metricsPort);
        }
        const missing = async (): Promise<string[]> =>
          (await emptyPanels(prometheus, databases)).filter(
            (panel) => databases.length === 2 || !panel.includes('_pool_'),
          );
        const deadline = Date.now() + LIMIT_MS;
        while ((await missing()).length > 0 && Date.now() < deadline) await sleep(1_000);
        expect(await missing()).toEqual([]);
      } finally {
        for (const database of databases) prometheus.remove(database);
        for (const service of services) await service.stop();
      }
    },
    TEST_LIMIT_MS,
  );

  /** Causes a fault: its alerts must fire, and its tiles become red. Afterwards both must recover. */
  async function expectAlerts({
    title,
    database,
    alerts: names,
    tiles = [],
    hasSmallDisk,
    cause,
  }: AlertFault): Promise<void> {
    const instance = title.replaceAll(/\W+/g, '-');
    const expected = { alerts: names, tiles: [...names.map(tileOf), ...tiles].sort() };
    const disk = hasSmallDisk === true ? SmallDisk.mount() : undefined;
    const service = await WatchedService.start({ database, redis: redis!, disk });
    let caused: Caused = {};
    let isUndone = false;
    try {
      prometheus.add(instance, service.parts.metricsPort);
      await expectSeen(instance, CALM, 'before the fault');
      caused = await cause(service.parts, (request) => service.send(request));
      if (caused.metricsPort !== undefined) prometheus.add(instance, caused.metricsPort);
      await expectSeen(instance, expected, 'with the fault');
      if (caused.undo === undefined) return;
      isUndone = true;
      await caused.undo();
      await expectSeen(instance, CALM, 'after the fault');
    } finally {
      prometheus.remove(instance);
      if (!isUndone) await caused.undo?.();
      await caused.end?.();
      await service.stop();
    }
  }

  /** Waits until exactly the expected alerts fire and tiles are red. Others may appear briefly on a busy machine. */
  async function expectSeen(instance: string, expected: Seen, when: string): Promise<void> {
    for (const deadline = Date.now() + LIMIT_MS; ; await sleep(250)) {
      const [firing, tiles, up] = await Promise.all([
        prometheus.firing(instance),
        redTiles(prometheus, instance),
        prometheus.query(`up{instance="${instance}"}`),
      ]);
      const seen = { alerts: firing, tiles };
      // Compare as JSON: arrays of responses come from another realm than the test, and are never deeply equal.
      if (up.length > 0 && JSON.stringify(seen) === JSON.stringify(expected)) return;
      if (Date.now() < deadline) continue;
      expect({ when, up: up.length, ...seen }).toEqual({ when, up: 1, ...expected });
      return;
    }
  }
});

function lackOf(database: DatabaseName): string | undefined {
  return database === 'postgres' && postgresUnderTest() === undefined ? 'there is no PostgreSQL' : undefined;
}
