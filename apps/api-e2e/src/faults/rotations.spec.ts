import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';

import {
  PlainClient,
  programPath,
  provideDatabase,
  startApp,
  TEST_CERTIFICATE,
  urlOf,
  waitUntil,
  type Cluster,
  type Postgres,
  type Site,
} from '@items/testing';
import { Webhook } from 'standardwebhooks';

import { Receiver, type Received } from '../harness/receiver.js';
import { CLUSTER, expectHeld, fault, programs, seconds } from './fault.js';
import { Load } from './load.js';
import { onCluster, onSite } from './topologies.js';

/* These tests change secrets as docs/rotation.md describes. No request may fail. */

/** Time until the proxy uses an instance again (`inter 2s rise 2`). */
const USED_AGAIN_MS = 5000;
const SCOPES = ['items:read', 'items:write'];
/** Few clients: the rollouts take minutes. */
const FEW = { writers: 2, walkers: 1, readers: 2 };
const run = promisify(execFile);

const makeSecret = (): string => randomBytes(24).toString('hex');

/** Restarts both instances with other settings, one after the other. */
async function rollout({ instances }: Cluster, env: Readonly<Record<string, string>>): Promise<void> {
  for (const { program, startAgain } of instances) {
    await program.end();
    await startAgain(env);
    await sleep(USED_AGAIN_MS);
  }
}

async function create(client: PlainClient, path: string, json: unknown): Promise<Record<string, string>> {
  const { status, body } = await client.send('POST', path, { json });
  expect([status, body]).toEqual([201, body]);
  return body as Record<string, string>;
}

fault('rotate-cursor-secret', 'CURSOR_SECRET is changed by two rollouts of both instances', CLUSTER, () => {
  const [a, b] = [makeSecret(), makeSecret()];
  return onCluster({ env: { CURSOR_SECRET: a } }, async (cluster) => {
    const load = new Load(cluster.address, cluster.key).start({ walkers: 6 });
    await rollout(cluster, { CURSOR_SECRET: `${a},${b}` });
    await rollout(cluster, { CURSOR_SECRET: `${b},${a}` });
    expectHeld(await load.stop(), { failed: 0 });
  });
});

fault(
  'rotate-webhook-key',
  'WEBHOOK_KEY is changed by three rollouts, and the secret of the webhook is rotated',
  CLUSTER,
  async () => {
    const [a, b] = [makeSecret(), makeSecret()];
    const secrets: string[] = [];
    const names = new Set<unknown>();
    let unsigned = 0;
    const receiver = await Receiver.start();
    receiver.answer = (received) => {
      if (secrets.some((secret) => isSigned(secret, received))) names.add(received.event.data.object['name']);
      else unsigned += 1;
      return 204;
    };
    try {
      await onCluster({ env: { WEBHOOK_KEY: a, WEBHOOK_ALLOW: '127.0.0.0/8' } }, async (cluster) => {
        const client = new PlainClient(cluster.address, cluster.key);
        const { id, secret } = await create(client, '/webhooks', { url: receiver.url(), events: ['item.created'] });
        secrets.push(secret!);
        const load = new Load(cluster.address, cluster.key).start(FEW);
        await rollout(cluster, { WEBHOOK_KEY: `${a},${b}` });
        await rollout(cluster, { WEBHOOK_KEY: `${b},${a}` });
        const rotated = await create(client, `/webhooks/${id!}/rotations`, { grace_seconds: 1 });
        secrets.push(rotated['secret']!);
        await sleep(2000);
        secrets.shift();
        await rollout(cluster, { WEBHOOK_KEY: b });
        const findings = await load.stop();
        const missing = (): string[] => [...load.writers.acknowledged.keys()].filter((name) => !names.has(name));
        await waitUntil('all events have arrived', () => missing().length === 0, 40_000).catch(() => undefined);
        expectHeld(findings, { failed: 0 }, `${names.size} events arrived`);
        expect(missing()).toEqual([]);
        expect(unsigned).toBe(0);
      });
    } finally {
      await receiver.stop();
    }
  },
);

function isSigned(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

fault(
  'rotate-admin-key',
  'ADMIN_API_KEY is changed by one rollout, under clients with keys of their own',
  CLUSTER,
  () =>
    onCluster({}, async (cluster) => {
      const before = new PlainClient(cluster.address, cluster.key);
      const { key } = await create(before, '/api-keys', { name: 'load', scopes: SCOPES });
      const load = new Load(cluster.address, key!).start();
      const next = makeSecret();
      await rollout(cluster, { ADMIN_API_KEY: next });
      expectHeld(await load.stop(), { failed: 0 });
      const after = new PlainClient(cluster.address, next);
      // The proxy alternates between both instances.
      for (let n = 0; n < 4; n += 1) {
        expect((await before.send('GET', '/items?limit=1')).status).toBe(401);
        expect((await after.send('GET', '/items?limit=1')).status).toBe(200);
      }
    }),
);

/** Configures the server to require passwords of the service's roles. */
async function requirePasswords(server: Postgres): Promise<void> {
  const file = join(server.data, 'pg_hba.conf');
  writeFileSync(file, `host all items,items_b 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`);
  await server.query('SELECT pg_reload_conf()');
}

/** @param login user and password, such as `items:password`. */
function databaseSettings({ primary, standby }: Cluster, login: string): Record<string, string> {
  const as = (url: string): string => url.replace('//items@', `//${login}@`);
  const url = as(urlOf([primary, standby]));
  return { DATABASE_URL: url, MIGRATION_DATABASE_URL: url, DATABASE_READ_URL: as(standby.url) };
}

fault(
  'rotate-database-password',
  'The password of PostgreSQL is changed by a second role, and changed back with a new one',
  CLUSTER,
  () =>
    onCluster({}, async (cluster) => {
      const { primary, standby } = cluster;
      const load = new Load(cluster.address, cluster.key).start(FEW);
      const connections = (role: string): Promise<unknown[]> =>
        primary.query(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`);
      await primary.query("CREATE ROLE items_b LOGIN PASSWORD 'new' IN ROLE items");
      await primary.query('ALTER ROLE items_b SET role = items');
      await rollout(cluster, databaseSettings(cluster, 'items_b:new'));
      const left = await connections('items');
      await primary.query('ALTER ROLE items NOLOGIN');
      for (const server of [primary, standby]) await requirePasswords(server);
      await primary.query("ALTER ROLE items LOGIN PASSWORD 'newer'");
      await rollout(cluster, databaseSettings(cluster, 'items:newer'));
      const leftOfB = await connections('items_b');
      expectHeld(await load.stop(), { failed: 0 });
      expect([left, leftOfB]).toEqual([[], []]);
    }),
);

/** Issues a certificate that clients of the tests trust. */
async function issueCertificate(site: Site): Promise<{ readonly key: string; readonly cert: string }> {
  const openssl = programPath('openssl', 'openssl');
  const [key, cert, request] = [
    join(site.folder, 'next.key'),
    join(site.folder, 'next.cert'),
    join(site.folder, 'csr'),
  ];
  const [ca, caKey] = [site.file('ca.cert', TEST_CERTIFICATE.cert), site.file('ca.key', TEST_CERTIFICATE.key)];
  const names = site.file('names', 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const subject = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  await run(openssl, ['req', ...subject, '-keyout', key, '-out', request]);
  const by = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', names, '-days', '2'];
  await run(openssl, ['x509', '-req', '-in', request, ...by, '-out', cert]);
  return { key, cert };
}

/** Returns the serial number of the certificate that a new connection gets. */
function serialOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port, ca: TEST_CERTIFICATE.cert }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    }).on('error', reject);
  });
}

fault(
  'rotate-certificate',
  'TLS_CERT and TLS_KEY of two instances are replaced while they run',
  programs('openssl'),
  () =>
    onSite(async (site) => {
      const next = await issueCertificate(site);
      const env = {
        TLS_CERT: site.file('tls.cert', TEST_CERTIFICATE.cert),
        TLS_KEY: site.file('tls.key', TEST_CERTIFICATE.key),
        ADMIN_API_KEY: makeSecret(),
      };
      const database = await provideDatabase('sqlite');
      site.atEnd(() => database.drop());
      const start = async (): Promise<number> => {
        const app = await startApp({ database: 'sqlite', databaseUrl: database.url, https: true, env });
        site.atEnd(() => app.stop());
        return app.port;
      };
      const ports = [await start(), await start()];
      const serials = (): Promise<string[]> => Promise.all(ports.map(serialOf));
      const [former] = await serials();
      const loads = ports.map((port) => new Load(`https://localhost:${port}`, env.ADMIN_API_KEY).start({ writers: 2 }));
      await sleep(2000);
      renameSync(next.key, env.TLS_KEY);
      renameSync(next.cert, env.TLS_CERT);
      const since = performance.now();
      const areNew = async (): Promise<boolean> => !(await serials()).includes(former!);
      await waitUntil('new connections get the new certificate', areNew, 10_000);
      const tookMs = performance.now() - since;
      await sleep(2000);
      for (const load of loads) expectHeld(await load.stop(), { failed: 0 }, `in use after ${seconds(tookMs)}`);
    }),
);
