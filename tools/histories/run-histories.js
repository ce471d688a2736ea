import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasPostgresPrograms, provideDatabase, StreamingPair } from '@items/testing';

import { MissingProgramError } from '../cluster/binaries.ts';
import { startInstance } from '../cluster/instance.ts';
import { startPostgres } from '../cluster/postgres.ts';
import { urlOf } from '../cluster/start-cluster.ts';
import { ROOMY } from '../faults/topologies.js';
import { Site } from '../cluster/site.ts';
import { Clients, randomFrom } from './clients.js';
import { isLinearizable, sessionProblem, smallestOf, totalProblem } from './linearize.js';
import { mutants, startMutant } from './mutants.js';

const CLIENTS = 8;
/** Time between two faults, and the longest pause of an instance, in milliseconds. */
const CALM_MS = 2_000;
const PAUSE_MS = 3_000;
/** Time from the end of the primary to the promotion of its standby. */
const PROMOTION_MS = 1_000;
/** Time for which a standby receives nothing before the failover of the mutant `late-standby`. */
const LATE_MS = 1_500;
/** Mutant of the topology `failover`, which needs no proxy. */
export const LATE_STANDBY = 'late-standby';

/** @typedef {() => Promise<void>} Failover */

/**
 * @typedef {object} HistoryOptions
 * @property {'sqlite' | 'postgres' | 'standbys' | 'failover'} topology `standbys`: PostgreSQL with a standby that serves reads.
 * `failover`: the primary is killed halfway, and its synchronous standby is promoted.
 * @property {number} seconds
 * @property {number} seed
 * @property {string} [mutant] name of a fault that is put between the clients and the instances; then no instance is killed.
 * @property {string} [redis] address of a Redis, which standbys need.
 */

/**
 * @typedef {object} HistoryResult
 * @property {readonly string[]} problems
 * @property {string} figure
 */

/**
 * Runs clients on two instances that are killed and paused, and checks what they saw.
 * @param {HistoryOptions} options
 * @returns {Promise<HistoryResult | string>} or why it cannot run here.
 */
export async function runHistory({ topology, seconds, seed, mutant, redis }) {
  if (topology === 'standbys' && !hasPostgresPrograms) return 'the programs of PostgreSQL are not installed';
  if (topology === 'standbys' && redis === undefined) return 'there is no Redis';
  const site = new Site();
  try {
    const { env, failover } = await databaseFor(topology, site, { redis, isLate: mutant === LATE_STANDBY });
    const key = randomBytes(24).toString('hex');
    const settings = { ...ROOMY, ADMIN_API_KEY: key, STOP_DELAY: '0', LOG_LEVEL: 'warn', ...env };
    const first = await startInstance(site, 'a', settings);
    const instances = [first, await startInstance(site, 'b', settings)];
    const color = `h${seed.toString(36)}${randomBytes(3).toString('hex')}`;
    const addresses = await addressesOf(instances, site, mutant === LATE_STANDBY ? undefined : mutant);
    const keys = await keysOf(first.address, key);
    const clients = new Clients({ addresses, keys, color, seed, readsStandbys: topology === 'standbys' });
    clients.start();
    const disturbed = { instances: mutant === undefined ? instances : [], failover };
    const faults = await disturb(disturbed, seconds, seed);
    await clients.stop();
    return judge(clients, faults);
  } catch (error) {
    if (error instanceof MissingProgramError) return error.message;
    throw error;
  } finally {
    await site.stop();
  }
}

/**
 * @param {HistoryOptions['topology']} topology
 * @param {Site} site
 * @param {{ redis?: string | undefined, isLate: boolean }} options
 * @returns {Promise<{ env: Record<string, string>, failover?: Failover }>}
 */
async function databaseFor(topology, site, { redis, isLate }) {
  if (topology === 'failover') {
    const { primary, standby } = await startPostgres(site, { hasStandby: true });
    if (standby === undefined) throw new Error('There is no standby.');
    const failover = async () => {
      if (isLate) await fallBehind(primary);
      await primary.kill();
      await sleep(PROMOTION_MS);
      await standby.promote();
    };
    return { env: { DATABASE_URL: urlOf([primary, standby]) }, failover };
  }
  if (topology === 'standbys') {
    const pair = await StreamingPair.start();
    site.atEnd(() => pair.stop());
    const env = { DATABASE_URL: pair.primary.url, DATABASE_READ_URL: pair.standby.url, REDIS_URL: redis ?? '' };
    return { env };
  }
  const database = await provideDatabase(topology);
  site.atEnd(() => database.drop());
  return { env: { DATABASE_URL: database.url } };
}

/**
 * The primary no longer waits for its standby, and refuses it: a failover then loses acknowledged writes.
 * @param {import('../cluster/postgres.ts').Postgres} primary
 */
async function fallBehind(primary) {
  const file = join(primary.data, 'pg_hba.conf');
  writeFileSync(file, `host replication all all reject\n${readFileSync(file, 'utf8')}`);
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = ''");
  await primary.query('SELECT pg_reload_conf()');
  await primary.query('SELECT pg_terminate_backend(pid) FROM pg_stat_replication');
  await sleep(LATE_MS);
}

/** @param {readonly import('../cluster/instance.ts').Instance[]} instances @param {Site} site @param {string} [name] */
async function addressesOf(instances, site, name) {
  const addresses = instances.map(({ address }) => address);
  if (name === undefined) return addresses;
  const mutant = mutants()[name];
  if (mutant === undefined) throw new Error(`There is no mutant "${name}".`);
  const proxies = await Promise.all(addresses.map((address) => startMutant(address, mutant)));
  site.atEnd(() => proxies.forEach(({ stop }) => stop()));
  return proxies.map(({ address }) => address);
}

/** Creates a key for each client: sessions are promised to each caller. @param {string} address @param {string} admin */
async function keysOf(address, admin) {
  return Promise.all(
    Array.from({ length: CLIENTS }, async (_, n) => {
      const answer = await fetch(`${address}/api-keys`, {
        method: 'POST',
        headers: { 'x-api-key': admin, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `client ${n}`, scopes: ['items:read', 'items:write'] }),
      });
      const body = /** @type {any} */ (await answer.json());
      if (answer.status !== 201) throw new Error(`No key could be made: ${JSON.stringify(body)}`);
      return String(body.key);
    }),
  );
}

/**
 * Kills or pauses one instance after another, and halfway fails over, half the time while an instance is paused.
 * @param {{ instances: readonly import('../cluster/instance.ts').Instance[], failover: Failover | undefined }} disturbed
 *   without instances, only the failover happens.
 * @param {number} seconds
 * @param {number} seed
 */
async function disturb({ instances, failover }, seconds, seed) {
  const random = randomFrom(seed ^ 0x5eed);
  const faults = [];
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let isFailoverDue = failover !== undefined;
  while (performance.now() < endMs) {
    await sleep(Math.min(CALM_MS * (0.5 + random()), endMs - performance.now()));
    const instance = instances[random() < 0.5 ? 0 : 1];
    const isPaused = random() < 0.5;
    if (isFailoverDue && performance.now() - startMs > seconds * 500) {
      isFailoverDue = false;
      if (isPaused) instance?.program.signal('SIGSTOP');
      await failover?.();
      if (isPaused) instance?.program.signal('SIGCONT');
      faults.push('failover');
    } else if (instance === undefined || performance.now() >= endMs) {
      continue;
    } else if (!isPaused) {
      faults.push('kill');
      await instance.program.kill();
      await instance.startAgain();
    } else {
      faults.push('pause');
      instance.program.signal('SIGSTOP');
      await sleep(PAUSE_MS * random());
      instance.program.signal('SIGCONT');
    }
  }
  return faults;
}

/** @param {Clients} clients @param {readonly string[]} faults @returns {HistoryResult} */
function judge({ members, unknownCreations, totals, problems, requests, unanswered, readsStandbys }, faults) {
  const found = [...problems];
  for (const { id, operations } of members) {
    if (!isLinearizable(operations)) found.push(`${id} is not linearizable:\n${inWords(smallestOf(operations))}`);
  }
  const histories = [...members.map(({ operations }) => operations), ...unknownCreations.map((creation) => [creation])];
  for (const read of totals) {
    const problem = totalProblem(read, histories);
    if (problem !== undefined) found.push(problem);
  }
  for (const { id, seen } of members) {
    for (const [client, states] of seen) {
      const problem = sessionProblem(states);
      if (problem !== undefined && readsStandbys) found.push(`${id}, as client ${client} saw it: ${problem}`);
    }
  }
  const count = (/** @type {string} */ what) => faults.filter((fault) => fault === what).length;
  const figure = `${requests} requests (${unanswered} without a response) on ${members.length} members, ${totals.length} totals, ${count('kill')} kills, ${count('pause')} pauses, ${count('failover')} failovers`;
  return { problems: found, figure };
}

/** @param {readonly import('./linearize.js').Operation[]} operations */
function inWords(operations) {
  const start = operations[0]?.begun ?? 0;
  return operations
    .map(({ kind, value = '-', expected, outcome, begun, ended }) => {
      const time = `${(begun - start).toFixed(1)} to ${(ended - start).toFixed(1)} ms`;
      return `    ${time}: ${kind} ${value}${expected === undefined ? '' : ` if ${expected}`}: ${outcome}`;
    })
    .join('\n');
}
