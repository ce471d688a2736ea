import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { askPostgres, freePort, postgresBinaries, programPath, waitUntil, type Site } from '@items/testing';

interface Node {
  readonly port: number;
  kill(): Promise<void>;
}

export interface Patroni {
  /** Contains the addresses of both servers. */
  readonly url: string;
  /** Returns the node that can be written to. */
  leader(): Promise<Node | undefined>;
}

/** Starts two PostgreSQL servers under Patroni in synchronous mode, with one etcd. */
export async function startPatroni(site: Site): Promise<Patroni> {
  const { postgres } = postgresBinaries();
  const etcd = await startEtcd(site);
  const ports = [await freePort(), await freePort()];
  const nodes: Node[] = [];
  for (const [index, port] of ports.entries()) {
    const name = `node${index + 1}`;
    const cwd = site.folderOf(name);
    const plan = { name, cwd, etcd, port, api: await freePort(), bin: dirname(postgres) };
    const program = await site.run(
      {
        name,
        command: programPath('patroni', 'patroni'),
        args: [site.file(`${name}.json`, JSON.stringify(configuration(plan)))],
        cwd,
        env: { HOME: cwd, LANG: 'C.UTF-8' },
        ...site.as,
      },
      () => ask(port, 'SELECT 1'),
    );
    const killPostgres = (): void => {
      process.kill(Number(readFileSync(join(cwd, 'data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    };
    const kill = async (): Promise<void> => {
      // Simulates a failed machine: Patroni is killed first, so that it does not restart PostgreSQL.
      await program.kill();
      killPostgres();
    };
    process.once('exit', () => {
      if (program.isRunning) killPostgres();
    });
    nodes.push({ port, kill });
  }
  const leader = (): Promise<Node | undefined> => leaderOf(nodes);
  const { port } = (await leader())!;
  await ask(port, 'CREATE ROLE items LOGIN');
  await ask(port, 'CREATE DATABASE items OWNER items');
  await waitUntil('the other node is a synchronous standby', async () => {
    const rows = await ask(port, "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')");
    return rows.length === 1;
  });
  const hosts = ports.map((each) => `127.0.0.1:${each}`).join(',');
  return { url: `postgres://items@${hosts}/items?target_session_attrs=read-write`, leader };
}

/** @returns host and port. */
async function startEtcd(site: Site): Promise<string> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const cwd = site.folderOf('etcd');
  const own = ['--name', 'etcd', '--data-dir', join(cwd, 'data'), '--initial-cluster', `etcd=${peer}`];
  const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  const command = programPath('etcd', 'etcd-server');
  await site.run(
    { name: 'etcd', command, args: [...own, ...addresses, ...peers], cwd, ...site.as },
    async () => (await fetch(`${client}/health`)).ok,
  );
  return new URL(client).host;
}

interface NodePlan {
  readonly name: string;
  readonly cwd: string;
  readonly etcd: string;
  readonly port: number;
  /** Port of Patroni's own API. */
  readonly api: number;
  /** Folder of PostgreSQL's programs. */
  readonly bin: string;
}

function configuration({ name, cwd, etcd, port, api, bin }: NodePlan): object {
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

async function leaderOf(nodes: readonly Node[]): Promise<Node | undefined> {
  for (const node of nodes) {
    const rows = await ask(node.port, 'SELECT pg_is_in_recovery() AS is_standby').catch(() => []);
    if (rows[0]?.['is_standby'] === false) return node;
  }
  return undefined;
}

function ask(port: number, sql: string): Promise<Record<string, unknown>[]> {
  return askPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, sql);
}
