import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';

import { provideDatabase, startApp, TEST_CERTIFICATE } from '@items/testing';

import { programPath } from '../../cluster/binaries.ts';
import { urlOf } from '../../cluster/start-cluster.ts';
import { waitUntil } from '../../cluster/wait-until.ts';
import { PlainClient } from '../client.js';
import { judge } from '../fault.js';
import { Load } from '../load.js';
import { SigningReceiver } from '../receiver.js';
import { onCluster, onSite } from '../topologies.js';

/** @typedef {import('../fault.js').Fault} Fault */
/** @typedef {import('../../cluster/start-cluster.ts').Cluster} Cluster */

/** Time until the proxy uses an instance again (`inter 2s rise 2`). */
const USED_AGAIN_MS = 5000;
const SCOPES = ['items:read', 'items:write'];
/** Few clients: the rollouts take minutes. */
const FEW = { writers: 2, walkers: 1, readers: 2 };
const run = promisify(execFile);

const makeSecret = () => randomBytes(24).toString('hex');

/** Restarts both instances with other settings, one after the other. @param {Cluster} cluster @param {Record<string, string>} env */
async function rollout({ instances }, env) {
  for (const { program, startAgain } of instances) {
    await program.end();
    await startAgain(env);
    await sleep(USED_AGAIN_MS);
  }
}

/** @param {PlainClient} client @param {string} path @param {unknown} json */
async function created(client, path, json) {
  const { status, body } = await client.send('POST', path, { json });
  if (status !== 201) throw new Error(`POST ${path} got ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** @type {Fault} */
const cursorSecret = {
  name: 'rotate-cursor-secret',
  title: 'CURSOR_SECRET is changed by two rollouts of both instances',
  run: () => {
    const [a, b] = [makeSecret(), makeSecret()];
    return onCluster({ env: { CURSOR_SECRET: a } }, async (cluster) => {
      const load = new Load(cluster.address, cluster.key).start({ walkers: 6 });
      await rollout(cluster, { CURSOR_SECRET: `${a},${b}` });
      await rollout(cluster, { CURSOR_SECRET: `${b},${a}` });
      return judge(await load.stop(), { failed: 0 });
    });
  },
};

/** @type {Fault} */
const webhookKey = {
  name: 'rotate-webhook-key',
  title: 'WEBHOOK_KEY is changed by three rollouts, and the secret of the webhook is rotated',
  run: async () => {
    const [a, b] = [makeSecret(), makeSecret()];
    const receiver = new SigningReceiver();
    const url = await receiver.start();
    try {
      return await onCluster({ env: { WEBHOOK_KEY: a, WEBHOOK_ALLOW: '127.0.0.0/8' } }, async (cluster) => {
        const client = new PlainClient(cluster.address, cluster.key);
        const { id, secret } = await created(client, '/webhooks', { url, events: ['item.created'] });
        receiver.secrets.push(secret);
        const load = new Load(cluster.address, cluster.key).start(FEW);
        await rollout(cluster, { WEBHOOK_KEY: `${a},${b}` });
        await rollout(cluster, { WEBHOOK_KEY: `${b},${a}` });
        const rotated = await created(client, `/webhooks/${id}/rotations`, { grace_seconds: 1 });
        receiver.secrets.push(rotated.secret);
        await sleep(2000);
        receiver.secrets.shift();
        await rollout(cluster, { WEBHOOK_KEY: b });
        const findings = await load.stop();
        client.close();
        const missing = () => [...load.writers.acknowledged.keys()].filter((name) => !receiver.names.has(name));
        await waitUntil('all events have arrived', () => missing().length === 0, 40_000).catch(() => undefined);
        if (missing().length > 0) findings.faults.push(`${missing().length} events did not arrive`);
        if (receiver.unsigned > 0) findings.faults.push(`${receiver.unsigned} deliveries were not signed`);
        return judge(findings, { failed: 0 }, `${receiver.names.size} events arrived`);
      });
    } finally {
      receiver.stop();
    }
  },
};

/** @type {Fault} */
const adminKey = {
  name: 'rotate-admin-key',
  title: 'ADMIN_API_KEY is changed by one rollout, under clients with keys of their own',
  run: () =>
    onCluster({}, async (cluster) => {
      const before = new PlainClient(cluster.address, cluster.key);
      const { key } = await created(before, '/api-keys', { name: 'load', scopes: SCOPES });
      const load = new Load(cluster.address, key).start();
      const next = makeSecret();
      await rollout(cluster, { ADMIN_API_KEY: next });
      const findings = await load.stop();
      const after = new PlainClient(cluster.address, next);
      for (const [client, expected] of /** @type {const} */ ([
        [before, 401],
        [after, 200],
      ])) {
        // Both instances behind the proxy.
        for (let n = 0; n < 4; n += 1) {
          const { status } = await client.send('GET', '/items?limit=1');
          if (status !== expected) findings.faults.push(`an admin key got ${status} instead of ${expected}`);
        }
        client.close();
      }
      return judge(findings, { failed: 0 });
    }),
};

/** Requires passwords of the roles of the service. @param {import('../../cluster/postgres.ts').Postgres} server */
async function requirePasswords(server) {
  const file = join(server.data, 'pg_hba.conf');
  writeFileSync(file, `host all items,items_b 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
  await server.query('SELECT pg_reload_conf()');
}

/** @param {Cluster} cluster @param {string} login such as `items:password`. */
function databaseSettings({ primary, standby }, login) {
  const as = (/** @type {string} */ url) => url.replace('//items@', `//${login}@`);
  const url = as(urlOf([primary, standby]));
  return { DATABASE_URL: url, MIGRATION_DATABASE_URL: url, DATABASE_READ_URL: as(standby.url) };
}

/** @type {Fault} */
const databasePassword = {
  name: 'rotate-database-password',
  title: 'The password of PostgreSQL is changed by a second role, and changed back with a new one',
  run: () =>
    onCluster({}, async (cluster) => {
      const { primary, standby } = cluster;
      const load = new Load(cluster.address, cluster.key).start(FEW);
      const connections = async (/** @type {string} */ role) =>
        (await primary.query(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`)).length;
      await primary.query("CREATE ROLE items_b LOGIN PASSWORD 'new' IN ROLE items");
      await primary.query('ALTER ROLE items_b SET role = items');
      await rollout(cluster, databaseSettings(cluster, 'items_b:new'));
      const left = await connections('items');
      await primary.query('ALTER ROLE items NOLOGIN');
      for (const server of [primary, standby]) await requirePasswords(server);
      await primary.query("ALTER ROLE items LOGIN PASSWORD 'newer'");
      await rollout(cluster, databaseSettings(cluster, 'items:newer'));
      const leftOfB = await connections('items_b');
      const findings = await load.stop();
      if (left + leftOfB > 0) findings.faults.push(`${left} and ${leftOfB} connections of a former login were left`);
      return judge(findings, { failed: 0 });
    }),
};

/** Issues a certificate that clients of the tests trust. @param {import('../../cluster/site.ts').Site} site */
async function issueCertificate(site) {
  const openssl = programPath('openssl', 'openssl');
  const [key, request, cert] = ['next.key', 'next.csr', 'next.cert'].map((name) => join(site.folder, name));
  const [ca, caKey] = [site.file('ca.cert', TEST_CERTIFICATE.cert), site.file('ca.key', TEST_CERTIFICATE.key)];
  const names = site.file('names', 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const subject = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  await run(openssl, ['req', ...subject, '-keyout', String(key), '-out', String(request)]);
  const by = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', names, '-days', '2'];
  await run(openssl, ['x509', '-req', '-in', String(request), ...by, '-out', String(cert)]);
  return { key: String(key), cert: String(cert) };
}

/** @param {string} address @returns {Promise<string>} the serial number of the certificate that a new connection gets. */
function serialOf(address) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const socket = connect({ host: hostname, port: Number(port), ca: TEST_CERTIFICATE.cert }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    }).on('error', reject);
  });
}

/** @type {Fault} */
const certificate = {
  name: 'rotate-certificate',
  title: 'TLS_CERT and TLS_KEY of two instances are replaced while they run',
  run: () =>
    onSite(async (site) => {
      const next = await issueCertificate(site);
      const env = {
        TLS_CERT: site.file('tls.cert', TEST_CERTIFICATE.cert),
        TLS_KEY: site.file('tls.key', TEST_CERTIFICATE.key),
        ADMIN_API_KEY: makeSecret(),
      };
      const database = await provideDatabase('sqlite');
      site.atEnd(() => database.drop());
      const options = { database: /** @type {const} */ ('sqlite'), databaseUrl: database.url, https: true, env };
      const instances = [await startApp(options), await startApp(options)];
      for (const instance of instances) site.atEnd(() => instance.stop());
      const addresses = instances.map(({ port }) => `https://localhost:${port}`);
      const former = await serialOf(String(addresses[0]));
      const loads = addresses.map((address) => new Load(address, env.ADMIN_API_KEY).start({ writers: 2 }));
      await sleep(2000);
      renameSync(next.key, env.TLS_KEY);
      renameSync(next.cert, env.TLS_CERT);
      const isNew = async () => (await Promise.all(addresses.map(serialOf))).every((serial) => serial !== former);
      const since = performance.now();
      await waitUntil('new connections get the new certificate', isNew, 10_000);
      const tookMs = performance.now() - since;
      await sleep(2000);
      const [first, second] = await Promise.all(loads.map((load) => load.stop()));
      if (first === undefined || second === undefined) throw new Error('There are two loads.');
      first.faults.push(...second.faults);
      if (second.failed > 0) first.faults.push(`${second.failures} requests of the second instance failed`);
      return judge(first, { failed: 0 }, `in use after ${(tookMs / 1000).toFixed(1)} s`);
    }),
};

/** Changes of secrets by docs/rotation.md. No request may fail. */
export const rotations = [cursorSecret, webhookKey, adminKey, databasePassword, certificate];
