import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { workspacePath } from '../workspace/root.ts';
import { run } from '../workspace/run.ts';

/** The first version that supports prepared statements in transaction mode. */
const WANTED = 1.21;
/** The Debian release whose source is built; it contains version 1.24. */
const RELEASE = 'trixie';
const LIMIT_MS = 180_000;
const folder = workspacePath('node_modules/.cache/pgbouncer');
/** PgBouncer refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/**
 * Adds PgBouncer 1.21 or later to the PATH of this process. If none is installed, builds it once from Debian's source,
 * which apt downloads from the configured mirror and verifies. Installs nothing and needs no privileges.
 * Returns a sentence for the user: the version, or the reason for a failure.
 */
export async function bringPgBouncer(): Promise<string> {
  const installed = versionOf('pgbouncer');
  if (Number(installed) >= WANTED) return `PgBouncer ${installed} is installed.`;
  const program = join(folder, 'pgbouncer');
  try {
    if (!existsSync(program)) await build(program);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `PgBouncer ${WANTED} or later is ${installed ? `not installed (${installed} is)` : 'not installed'} and could not be built: ${reason}`;
  }
  const built = versionOf(program);
  if (built === undefined) return `PgBouncer was built, but the user who runs it may not read ${folder}.`;
  process.env['PATH'] = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
  return `PgBouncer ${built} was built from Debian's source.`;
}

/** Returns a version such as `1.24`; undefined if the program cannot run. */
function versionOf(program: string): string | undefined {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', ...unprivileged });
  return /PgBouncer (\d+\.\d+)/.exec(stdout ?? '')?.[1];
}

async function build(target: string) {
  const [mirror, codename] = await debianMirror();
  console.log('Building PgBouncer from the source that Debian has, once …');
  const work = mkdtempSync(join(tmpdir(), 'items-pgbouncer-'));
  try {
    await fetchSources(work, mirror, codename);
    const source = join(work, 'source');
    mkdirSync(source);
    const event = join(work, 'event');
    await must('tar', ['xzf', fileIn(work, '.orig.tar.gz'), '-C', source, '--strip-components=1'], work);
    await must('dpkg-deb', ['-x', fileIn(work, '.deb'), event], work);
    const libraries = join(event, 'usr/lib');
    const library = readdirSync(libraries, { recursive: true, encoding: 'utf8' }).find((name) =>
      /(^|\/)libevent\.a$/.test(name),
    );
    if (library === undefined) throw new Error('libevent-dev has no static library.');
    const env = {
      LIBEVENT_CFLAGS: `-I${join(event, 'usr/include')}`,
      LIBEVENT_LIBS: join(libraries, library),
    };
    // PgBouncer listens only on the loopback interface here, so it needs no TLS.
    await must('sh', ['./configure', '--without-openssl', '--without-cares'], source, env);
    await must('make', [`-j${availableParallelism()}`, 'pgbouncer'], source);
    mkdirSync(folder, { recursive: true });
    // Rename a complete copy, so that an interruption leaves no partial file.
    copyFileSync(join(source, 'pgbouncer'), `${target}.new`);
    chmodSync(`${target}.new`, 0o755);
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the configured mirror of apt, and the release of this machine. */
async function debianMirror(): Promise<[uri: string, codename: string]> {
  const format = '$(ORIGIN) $(REPO_URI) $(CODENAME)';
  const { ok, output } = await run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    output: 'collect',
    limitMs: LIMIT_MS,
  });
  const [, mirror, codename] = /^Debian (\S+) ([a-z]+)$/m.exec(output) ?? [];
  if (!ok || mirror === undefined || codename === undefined) throw new Error('there is no mirror of Debian in apt.');
  return [mirror, codename];
}

/**
 * Downloads the source of PgBouncer and the package libevent-dev into a folder, without changing apt's lists and
 * caches.
 */
async function fetchSources(work: string, mirror: string, codename: string) {
  mkdirSync(join(work, 'lists/partial'), { recursive: true });
  mkdirSync(join(work, 'cache'));
  const list = join(work, 'sources.list');
  writeFileSync(list, `deb-src ${mirror} ${RELEASE} main\ndeb ${mirror} ${codename} main\n`);
  const own = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '-',
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::Cache': join(work, 'cache'),
    // The sandbox user of apt cannot write to this folder.
    'APT::Sandbox::User': '',
  };
  const apt = (...args: string[]) =>
    must('apt-get', [...Object.entries(own).flatMap(([name, value]) => ['-o', `${name}=${value}`]), ...args], work);
  await apt('update');
  await apt('source', '--download-only', '--only-source', 'pgbouncer');
  await apt('download', 'libevent-dev');
}

function fileIn(folderOfFiles: string, ending: string) {
  const found = readdirSync(folderOfFiles).find((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`apt fetched no ${ending}.`);
  return join(folderOfFiles, found);
}

async function must(command: string, args: string[], cwd: string, env: Record<string, string> = {}) {
  const { ok, output } = await run(command, args, { cwd, env, output: 'collect', limitMs: LIMIT_MS });
  if (!ok) throw new Error(`${command} failed: ${output.trim().split('\n').at(-1) ?? ''}`);
}
