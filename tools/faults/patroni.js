import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { askPostgres, freePort } from '@items/testing';

import { postgresBinaries, programPath } from '../cluster/binaries.ts';
import { waitUntil } from '../cluster/wait-until.ts';

/**
 * Starts two PostgreSQL servers under Patroni in synchronous mode, with one etcd.
 * @param {import('../cluster/site.ts').Site} site
 * @throws {import('../cluster/binaries.ts').MissingProgramError}
 */
export async function startPatroni(site) {
  const patroni = programPath('patroni', 'patroni');
  const { postgres } = await postgresBinaries();
  const etcd = await startEtcd(site);
  const ports = [await freePort(), await freePort()];
  /** @type {{ port: number, kill: () => Promise<void> }[]} */
  const nodes = [];
  for (const [index, port] of ports.entries()) {
    const name = `node${index + 1}`;
    const cwd = site.folderOf(name);
    const configuration = patroniConfiguration({
      name,
      cwd,
      etcd,
      port,
      api: await freePort(),
      bin: dirname(postgres),
    });
    const program = await site.run(
      {
        name,
        command: patroni,
        args: [site.file(`${name}.json`, JSON.stringify(configuration))],
        cwd,
        env: { HOME: cwd, LANG: 'C.UTF-8' },
        ...(site.as !== undefined && { as: site.as }),
      },
      () => ask(port, 'SELECT 1'),
    );
    const kill = async () => {
      // Simulates a failed machine: Patroni is killed first, so that it does not restart PostgreSQL.
      await program.kill();
      killPostgres(cwd);
    };
    process.once('exit', () => {
      if (program.isRunning) killPostgres(cwd);
    });
    nodes.push({ port, kill });
  }
  const leader = () => leaderOf(nodes);
  const first = await leader();
  if (first === undefined) throw new Error('Patroni has no leader');
  await ask(first.port, 'CREATE ROLE items LOGIN');
  await ask(first.port, 'CREATE DATABASE items OWNER items');
  await waitUntil('the other node is a synchronous standby', async () => {
    const rows = await ask(first.port, "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')");
    return rows.length === 1;
  });
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return { url: `postgres://items@${hosts}/items?target_session_attrs=read-write`, leader };
}

/** @param {string} cwd working directory of a node. */
function killPostgres(cwd) {
  process.kill(Number(readFileSync(join(cwd, 'data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
}

/** @param {import('../cluster/site.ts').Site} site @returns {Promise<string>} host and port. */
async function startEtcd(site) {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const cwd = site.folderOf('etcd');
  const own = ['--name', 'etcd', '--data-dir', join(cwd, 'data'), '--initial-cluster', `etcd=${peer}`];
  const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  await site.run(
    {
      name: 'etcd',
      command: programPath('etcd', 'etcd-server'),
      args: [...own, ...addresses, ...peers],
      cwd,
      ...(site.as !== undefined && { as: site.as }),
    },
    () => fetch(`${client}/health`).then(({ ok }) => ok),
  );
  return new URL(client).host;
}

/** @param {{ name: string, cwd: string, etcd: string, port: number, api: number, bin: string }} node */
function patroniConfiguration({ name, cwd, etcd, port, api, bin }) {
  return {
    scope: 'items',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd3: { host: etcd },
    bootstrap: {
      // The shortest time that Patroni accepts.
      dcs: { ttl: 20, loop_wait: 3, retry_timeout: 5, synchronous_mode: true },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(cwd, 'data'),
      bin_dir: bin,
      pgpass: join(cwd, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: cwd, fsync: 'off', max_connections: 200 },
    },
  };
}

/**
 * @template {{ port: number }} Node
 * @param {readonly Node[]} nodes
 * @returns {Promise<Node | undefined>} the node that can be written to.
 */
async function leaderOf(nodes) {
  for (const node of nodes) {
    const rows = await ask(node.port, 'SELECT pg_is_in_recovery() AS is_standby').catch(() => []);
    if (rows[0]?.['is_standby'] === false) return node;
  }
  return undefined;
}

/** @param {number} port @param {string} sql @returns {Promise<Record<string, unknown>[]>} */
function ask(port, sql) {
  return askPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, sql);
}
