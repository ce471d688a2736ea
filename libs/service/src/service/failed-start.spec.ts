import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';
import { promisify } from 'node:util';

import { freePort } from '@items/testing';
import { Module, type OnModuleInit } from '@nestjs/common';

import { startService } from '../index.js';

@Module({})
class BrokenModule implements OnModuleInit {
  onModuleInit(): void {
    throw new Error('This module is broken.');
  }
}

const SETTINGS = { DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'error' };

async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function free(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}

describe('A start that fails leaves nothing', () => {
  it('the port of the metrics is free if PORT is taken', async () => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const other = await occupy(port);
    const settings = { ...SETTINGS, PORT: String(port), METRICS_PORT: String(metricsPort) };
    const sentence = 'PORT is taken by another process: stop it, or choose another, for example PORT=3001.';
    await expect(startService({ collections: [], settings, signals: false })).rejects.toMatchObject({
      ...{ name: 'ConfigError', code: 'EADDRINUSE', message: sentence, stack: `ConfigError: ${sentence}` },
    });
    await free(await occupy(metricsPort));
    const ofMetrics = { ...settings, PORT: '0', METRICS_PORT: String(port) };
    await expect(startService({ collections: [], settings: ofMetrics, signals: false })).rejects.toThrow(
      /^METRICS_PORT is taken by another process: /,
    );
    await free(other);
  });

  it('the port of the metrics is free if a module fails', async () => {
    const metricsPort = await freePort();
    const settings = { ...SETTINGS, PORT: '0', METRICS_PORT: String(metricsPort) };
    const start = startService({ collections: [], modules: [BrokenModule], settings, signals: false });
    await expect(start).rejects.toThrow('This module is broken.');
    await free(await occupy(metricsPort));
  });

  it('the port of the metrics is free if the application cannot be created', async () => {
    const metricsPort = await freePort();
    const database = { DATABASE_URL: `sqlite:${__dirname}` };
    const settings = { ...SETTINGS, ...database, PORT: '0', METRICS_PORT: String(metricsPort) };
    await expect(startService({ collections: [], settings, signals: false })).rejects.toThrow('DATABASE_URL');
    await free(await occupy(metricsPort));
  });

  it('nothing keeps the process running', async () => {
    const [port, metricsPort, healthPort] = [await freePort(), await freePort(), await freePort()];
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort), HEALTH_PORT: String(healthPort) };
    const program = `import('@items/service').then(async ({ startService }) => {
      const { createServer } = require('node:net');
      const other = createServer().listen(${String(port)}, '127.0.0.1');
      const settings = ${JSON.stringify({ ...SETTINGS, ...ports })};
      await startService({ collections: [], settings, signals: false }).catch(({ message }) => console.log(message));
      other.close();
    })`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
      cwd: __dirname,
      timeout: 30_000,
    });
    expect(stdout).toMatch(/^PORT is taken by another process: .*\n$/);
  });
});

describe('A start that is refused and not caught', () => {
  /** Runs an ES module, and returns its exit status and its standard error. */
  async function run(program: string): Promise<{ code: unknown; stderr: string }> {
    const args = ['--input-type=module', '-e', program];
    return promisify(execFile)(process.execPath, args, { cwd: __dirname, timeout: 30_000 }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      (error: unknown) => error as { code: unknown; stderr: string },
    );
  }
  const settings = JSON.stringify({ ...SETTINGS, PORT: '0' });
  const start = `import { collection, startService } from '@items/service'; class Input {}
    const start = (name, more = {}) => {
      const collections = [collection({ name, singular: 'book', input: Input, ...more })];
      return startService({ collections, settings: ${settings}, ...more });
    };`;

  it.each([
    ['a name', `await start('docs');`, /^A collection cannot be named "docs": .*\.\n$/],
    [
      'a definition',
      `await start('books', { maxPageSize: 0 });`,
      /^maxPageSize of "books" must be a whole number .*\.\n$/,
    ],
  ])('prints one sentence about %s, and exits with status 1', async (_, program, sentence) => {
    const { code, stderr } = await run(start + program);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
  });

  it('goes to a listener of the program, if there is one', async () => {
    const { stderr } = await run(
      `${start} process.on('uncaughtException', ({ message, stack }) => console.error('caught', message, stack));
      start('docs');`,
    );
    expect(stderr).toMatch(/^caught (A collection cannot be named "docs": .*\.) CollectionNameError: \1\n$/);
  });

  it('keeps the stack of an error in a module of the team', async () => {
    const { code, stderr } = await run(
      `${start} class Broken { onModuleInit() { throw new Error('This module is broken.'); } }
      await start('books', { modules: [{ module: Broken }] });`,
    );
    expect(stderr).toMatch(/Error: This module is broken\.\n +at Broken\.onModuleInit/);
    expect(code).toBe(1);
  });

  it('leaves no listener after it was caught', async () => {
    const { stderr } = await run(
      `${start} await start('docs').catch(() => undefined);
      setTimeout(() => console.error(process.eventNames().filter((name) => String(name).startsWith('uncaught'))), 10);`,
    );
    expect(stderr).toBe('[]\n');
  });
});

it('Twelve services, started and stopped, leave no observer and no warning', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => void warnings.push(warning);
  const observed = jest.spyOn(PerformanceObserver.prototype, 'observe');
  const disconnected = jest.spyOn(PerformanceObserver.prototype, 'disconnect');
  process.on('warning', keep);
  const settings = { ...SETTINGS, PORT: '0', METRICS_PORT: String(await freePort()) };
  const round = async (): Promise<void> => {
    await (await startService({ collections: [], settings })).stop();
  };
  await round();
  // The metrics of prom-client itself start once per process.
  observed.mockClear();
  disconnected.mockClear();
  // Node warns about more than ten listeners of one event.
  for (let n = 1; n < 12; n++) await round();
  expect(observed.mock.contexts).toHaveLength(11);
  expect(new Set(disconnected.mock.contexts)).toEqual(new Set(observed.mock.contexts));
  process.off('warning', keep);
  expect(warnings).toEqual([]);
  jest.restoreAllMocks();
});
