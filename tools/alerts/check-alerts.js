import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ensureBuilt } from '../workspace/build.ts';

/*
 * `npm run tool -- check-alerts`: starts real services and a real Prometheus, and causes the fault of each alert. Only
 * this alert may fire, and only its dashboard tile may turn red; both must recover after the fault. `-- redis disk`
 * selects the faults whose titles contain these words. Needs Prometheus (Debian: `apt-get install prometheus`) and
 * Redis. Faults of PostgreSQL are skipped without a server.
 */
const words = process.argv.slice(2);
const LIMIT_MS = 180_000;

await ensureBuilt();
const { endForgottenApps, FOLDER_OF_APPS, providePostgres, provideRedis } = await import('@items/testing');
const { hasPrometheus, Prometheus } = await import('./prometheus.js');
const { alerts, hurriedRules } = await import('./rules.js');
const { FAULTS } = await import('./faults.js');
const { emptyPanels, redTiles, tileOf } = await import('./seen.js');
const { WatchedService } = await import('./watched-service.js');

if (!hasPrometheus()) {
  console.log('Skipped: Prometheus is not installed. On Debian: apt-get install prometheus');
  process.exit();
}
const apps = mkdtempSync(join(tmpdir(), 'items-check-alerts-'));
process.env[FOLDER_OF_APPS] = apps;
const [postgres, redis] = await Promise.all([providePostgres(), provideRedis()]);
if (postgres.url !== undefined) process.env.TEST_POSTGRES_URL = postgres.url;
const prometheus = await Prometheus.start(hurriedRules());
// Stop all services if the check is interrupted.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    endForgottenApps(apps);
    await prometheus.stop();
    process.exit(130);
  });
}
try {
  const { url: redisUrl } = redis;
  if (redisUrl === undefined) console.log(`Skipped: ${redis.note}`);
  else process.exitCode = (await checkAll(redisUrl)) ? 0 : 1;
} finally {
  await prometheus.stop();
  endForgottenApps(apps);
  await Promise.all([postgres.stop(), redis.stop()]);
}
// Without this exit, Node 20 hangs in its own cleanup and uses a whole core.
process.exit();

/** @param {string} redisUrl */
async function checkAll(redisUrl) {
  const chosen = FAULTS.filter(({ title }) => words.length === 0 || words.some((word) => title.includes(word)));
  const unraised = alerts().filter(({ alert }) => !FAULTS.some((fault) => fault.alerts.includes(alert)));
  for (const { alert } of unraised) console.log(`✘ ${alert}: no fault raises it`);
  let failures = unraised.length;
  for (const fault of chosen) if (!(await check(fault, redisUrl))) failures += 1;
  if (words.length === 0 && !(await checkPanels(redisUrl))) failures += 1;
  return failures === 0;
}

/**
 * Causes one fault and prints a row with the results.
 * @param {import('./faults.js').Fault} fault
 * @param {string} redisUrl
 */
async function check({ title, database, alerts: expected, tiles = [], env = {}, disk, missing, cause }, redisUrl) {
  const why = missing?.();
  if (why !== undefined) return skipped(title, why);
  if (database === 'postgres' && postgres.url === undefined) return skipped(title, postgres.note);
  const place = disk?.();
  if (disk !== undefined && place === undefined) return skipped(title, 'no file system can be mounted: it takes root');
  const instance = title.replaceAll(/\W+/g, '-');
  const alertsAndTiles = { alerts: expected, tiles: [...expected.map(tileOf), ...tiles].sort() };
  const databaseUrl = place && { databaseUrl: `sqlite:${place.folder}/items.sqlite` };
  /** @type {InstanceType<typeof WatchedService> | undefined} */
  let service;
  /** @type {import('./faults.js').Caused} */
  let caused = {};
  try {
    service = await WatchedService.start({ database, redis: redisUrl, env, ...databaseUrl });
    prometheus.add(instance, service.metricsPort);
    await until(instance, { alerts: [], tiles: [] }, 'before the fault');
    const began = performance.now();
    caused = await cause(service);
    if (caused.metricsPort !== undefined) prometheus.add(instance, caused.metricsPort);
    await until(instance, alertsAndTiles, 'with the fault');
    const fired = performance.now();
    const { undo } = caused;
    delete caused.undo;
    await undo?.();
    if (undo !== undefined) await until(instance, { alerts: [], tiles: [] }, 'after the fault');
    const over = undo === undefined ? '' : `, over after ${seconds(fired)}`;
    const figures = `${seconds(began, fired)}${over}; red: ${alertsAndTiles.tiles.join(', ')}`;
    console.log(`✔ ${title} (${database}): ${expected.join(', ')} after ${figures}`);
    return true;
  } catch (error) {
    console.log(`✘ ${title} (${database}): ${error instanceof Error ? error.message : error}`);
    return false;
  } finally {
    prometheus.remove(instance);
    await caused.undo?.();
    await caused.end?.();
    await service?.stop();
    place?.remove();
  }
}

/**
 * Waits until exactly the expected alerts fire and tiles are red. Others may appear briefly on a busy machine.
 * @param {string} instance
 * @param {{ alerts: readonly string[], tiles: readonly string[] }} expected
 * @param {string} when
 */
async function until(instance, expected, when) {
  for (const deadline = Date.now() + LIMIT_MS; ; await sleep(250)) {
    const [firing, red, up] = await Promise.all([
      prometheus.firing(instance),
      redTiles(prometheus, instance),
      prometheus.query(`up{instance="${instance}"}`),
    ]);
    if (up.length > 0 && isDeepStrictEqual({ alerts: firing, tiles: red }, expected)) return;
    if (Date.now() < deadline) continue;
    const sees = (/** @type {readonly string[]} */ list) => (list.length === 0 ? 'none' : list.join(', '));
    throw new Error(
      `${when}, ${sees(expected.alerts)} should fire and ${sees(expected.tiles)} be red; ` +
        `after ${LIMIT_MS / 1000} s ${sees(firing)} fire and ${sees(red)} are red`,
    );
  }
}

/** Checks that each query of each dashboard returns data for a healthy service. @param {string} redisUrl */
async function checkPanels(redisUrl) {
  /** @type {Record<string, import('./watched-service.js').WatchedOptions>} */
  const kinds = {
    sqlite: { database: 'sqlite', redis: redisUrl },
    ...(postgres.url !== undefined && { postgres: { database: 'postgres', redis: redisUrl } }),
  };
  const services = [];
  try {
    for (const [name, options] of Object.entries(kinds)) {
      const service = await WatchedService.start(options);
      services.push(service);
      prometheus.add(name, service.metricsPort);
    }
    for (const deadline = Date.now() + LIMIT_MS; ; await sleep(1_000)) {
      const empty = await emptyPanels(prometheus, Object.keys(kinds));
      const missing = empty.filter((panel) => postgres.url !== undefined || !panel.includes('_pool_'));
      if (missing.length === 0) break;
      if (Date.now() < deadline) continue;
      for (const panel of missing) console.log(`✘ no data: ${panel}`);
      return false;
    }
    console.log(
      `✔ every query of every dashboard finds something of a healthy service (${Object.keys(kinds).join(', ')})`,
    );
    return true;
  } finally {
    for (const name of Object.keys(kinds)) prometheus.remove(name);
    for (const service of services) await service.stop();
  }
}

/** @param {string} title @param {string} why */
function skipped(title, why) {
  console.log(`- ${title}: skipped, ${why}`);
  return true;
}

/** @param {number} from @param {number} [to] */
function seconds(from, to = performance.now()) {
  return `${((to - from) / 1000).toFixed(1)} s`;
}
