import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createService } from '@items/create-service';

const workspace = join(import.meta.dirname, '../..');
const runner = join(workspace, 'libs/service/dist/service/development/cli.js');

/** Source of a server that prints its version and port. On SIGTERM, it waits even for idle connections. */
const SERVER = (version: number) => `import { createServer } from 'node:http';
import { type AddressInfo, Server } from 'node:net';
const server = createServer((_, response) => response.end('version ${version}')).listen(0, () =>
  console.log('version ${version} %d', (server.address() as AddressInfo).port));
server.keepAliveTimeout = 0;
process.on('SIGTERM', () => Server.prototype.close.call(server, () => console.log('stopped')));
`;

let folder: string;
let dev: ChildProcess;
let output = '';
let onOutput: (value?: unknown) => void = () => undefined;

/** Links the packages instead of installing them. */
function link() {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin/tsc'));
  symlinkSync(join(workspace, 'node_modules/typescript-7'), join(modules, 'typescript'));
  for (const name of ['@items', '@types']) symlinkSync(join(workspace, 'node_modules', name), join(modules, name));
}

/** Saves a file like an editor: replaces the old file with a new one. */
function save(file: string, text: string) {
  writeFileSync(join(folder, `${file}~`), text);
  renameSync(join(folder, `${file}~`), join(folder, file));
}

function start() {
  output = '';
  const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn' };
  dev = spawn(process.execPath, [runner], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (chunk) => onOutput((output += chunk)));
  dev.once('exit', () => onOutput());
}

/** Waits until the output after a position matches. */
async function line(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output.slice(from));
    if (found !== null) return found;
    if (dev.exitCode !== null || dev.signalCode !== null)
      throw new Error(`It ended before it printed ${pattern}:\n${output}`);
    await new Promise((resolve) => (onOutput = resolve));
  }
}

async function end(signal: NodeJS.Signals): Promise<[code: number | null, signal: string | null]> {
  const ended = once(dev, 'exit');
  dev.kill(signal);
  return (await ended) as Awaited<ReturnType<typeof end>>;
}

const isInGroup = (group: number | undefined) => {
  try {
    return process.kill(-Number(group), 0);
  } catch {
    return false;
  }
};

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'items-dev-')), 'shop');
  createService(folder, { git: false });
  link();
});
afterEach(async () => {
  // Kill the process group: a failed test may leave a service running.
  if (isInGroup(dev?.pid)) process.kill(-Number(dev.pid), 'SIGKILL');
  rmSync(dirname(folder), { recursive: true });
});

describe('items-dev', () => {
  beforeEach(async () => {
    writeFileSync(join(folder, 'src/main.ts'), SERVER(1));
    start();
    await line(/version 1/);
  });

  it('restarts after a change, although a client has an idle connection', async () => {
    const agent = new Agent({ keepAlive: true });
    const port = Number((await line(/version 1 (\d+)/))[1]);
    const [response] = await once(get({ port, agent }), 'response');
    await once(response.resume(), 'end');
    save('src/main.ts', SERVER(2));
    await line(/version 2/);
    expect(output).toMatch(/src\/main\.ts has changed\.\nstopped\nversion 2/);
    agent.destroy();
  });

  it('restarts once after several changes', async () => {
    save('src/main.ts', SERVER(2));
    save('src/service.ts', `${readFileSync(join(folder, 'src/service.ts'), 'utf8')}\n`);
    save('src/main.ts', SERVER(3));
    await line(/version 3/);
    save('src/main.ts', SERVER(4));
    await line(/version 4/);
    expect(output.match(/^version \d/gm)).toEqual(['version 1', 'version 3', 'version 4']);
  });

  it('restarts after a change of .env, and of a file in a new folder', async () => {
    save('.env', 'PORT=3000\n');
    await line(/\.env has changed\.\nstopped\nversion 1/);
    const from = output.length;
    mkdirSync(join(folder, 'src/feature'));
    await line(/src\/feature has changed\.\nstopped\nversion 1/, from);
    const after = output.length;
    writeFileSync(join(folder, 'src/feature/a.ts'), 'export const a = 1;\n');
    await line(/src\/feature\/a\.ts has changed\.\nstopped\nversion 1/, after);
  });

  it('keeps the service running if a change does not compile, and reports it', async () => {
    const [, port] = await line(/version 1 (\d+)/);
    save('src/main.ts', 'const = 1;\n');
    await line(
      /src\/main\.ts\(1,\d+\): error.*\nThe compiler has failed\. The service still runs without this change\. /,
    );
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('version 1');
    save('src/main.ts', SERVER(2));
    await line(/version 2/);
  });

  it('does not wait for the type check', async () => {
    save('src/main.ts', `${SERVER(2)}export const text: string = 1;\n`);
    await line(/version 2/);
    await line(/error TS2322.*\nThe types have errors\. The service runs nevertheless\./);
  });

  it('reports that the service has ended, and starts it again after a change', async () => {
    save('src/main.ts', 'process.exitCode = 3;\n');
    await line(/The service has ended \(status 3\)\. The next change starts it again\./);
    save('src/main.ts', SERVER(2));
    await line(/version 2/);
  });

  it('keeps a service running that starts a worker thread', async () => {
    const worker = `import { Worker } from 'node:worker_threads';
new Worker(new URL('data:text/javascript,')).once('exit', () => console.log('worker ended'));\n`;
    save('src/main.ts', SERVER(2) + worker);
    const [, port] = await line(/version 2 (\d+)/);
    await line(/worker ended/);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('version 2');
  });

  it('leaves no process if it is killed', async () => {
    const closed = once(dev, 'close');
    await end('SIGKILL');
    // The service has the same output stream, so `close` means that it has ended too.
    await closed;
    expect(output).toMatch(/stopped$/m);
  });
});

describe('npm run dev of a created service', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps the data over a restart, and stops with status 0 on %s',
    async (signal) => {
      expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts.dev).toBe('exec items-dev');
      start();
      const key = (await line(/itk_\w+/))[0];
      const books = async (from = 0, init: RequestInit = {}) => {
        const url = (await line(/listens on (\S+)\. /, from))[1];
        const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' };
        return await fetch(`${url}/books`, { ...init, headers });
      };
      const body = JSON.stringify({ title: 'Emma', author: 'Jane Austen' });
      expect((await books(0, { method: 'POST', body })).status).toBe(201);
      const from = output.length;
      save('src/service.ts', `${readFileSync(join(folder, 'src/service.ts'), 'utf8')}\n`);
      expect(await (await books(from)).json()).toMatchObject({ total: 1, books: [{ title: 'Emma' }] });
      const closed = once(dev, 'close');
      expect(await end(signal)).toEqual([0, null]);
      await closed;
      expect(output).not.toContain('killed');
    },
  );
});

describe('npm run build of a created service', () => {
  it('removes the output of a deleted source, such as its test', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/deleted.test.js'), '');
    execFileSync('npm', ['run', 'build'], { cwd: folder });
    expect(readdirSync(join(folder, 'dist')).filter((file) => file.includes('test'))).toEqual(['service.test.js']);
  });
});
