import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

import { type CanActivate, type ExecutionContext, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Text } from '@items/fields';

import { collection } from '../index.js';
import type { ServiceOptions } from './composition/composition.js';
import { type StartedService, startForTest } from './started-services.testing.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });
const access = { 'UPGRADE /live': { scope: 'books:read' }, 'UPGRADE /rooms/*': 'public' } as const;
const HANDSHAKE = { connection: 'Upgrade', upgrade: 'websocket' };

/** Listens as a WebSocket adapter does, and echoes. */
function configure(app: NestFastifyApplication): void {
  app.getHttpServer().on('upgrade', (_message, socket: Socket, head: Buffer) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.write(head);
    socket.pipe(socket);
  });
}

let running: StartedService | undefined;
async function start(options: Partial<ServiceOptions> = {}): Promise<StartedService> {
  running = await startForTest({ collections: [books], configure, access, ...options });
  return running;
}
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** Sends a handshake. @returns the status; for 101 with the socket. */
async function upgrade(path: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  const { port } = new URL(running?.url ?? '');
  const sent = request({ port, path, method, headers: { ...HANDSHAKE, ...headers } }).end(body);
  return new Promise<{ readonly status: number; readonly socket?: Socket }>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on('upgrade', (response, socket) => resolve({ status: response.statusCode ?? 0, socket }));
  });
}
const adminKey = (): Record<string, string> => ({ 'x-api-key': running?.adminKey ?? '' });
const refusal = (options: Partial<ServiceOptions>): Promise<unknown> =>
  start(options).then(
    () => 'It has started.',
    (error: unknown) => (error as Error).stack,
  );

describe('A WebSocket handshake', () => {
  it('passes the access hook by its entry: 401, 403, 101', async () => {
    const { admin } = await start();
    const made = await admin.post('/api-keys', { name: 'Users', scopes: ['users:read'] });
    const { key } = made.json() as { key: string };
    expect((await upgrade('/live')).status).toBe(401);
    expect((await upgrade('/live', { 'x-api-key': key })).status).toBe(403);
    const { status, socket } = await upgrade('/live', adminKey());
    expect(status).toBe(101);
    socket?.write('ping');
    expect(String((await once(socket as Socket, 'data'))[0])).toBe('ping');
  });

  it('is 404 without an entry, also if a listener would read the path as that of an entry', async () => {
    await start();
    expect((await upgrade('/rooms/1')).status).toBe(101);
    for (const path of ['/other', '/live/', '/rooms/../live', '/rooms/%2e%2e/live', '//host/rooms/1']) {
      expect([path, (await upgrade(path, adminKey())).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${running?.url ?? ''}/live`, { headers: adminKey() })).status).toBe(404);
  });

  it('is an ordinary request of a route, and so is every other protocol', async () => {
    await start();
    expect((await upgrade('/books', adminKey())).status).toBe(200);
    const headers = { ...adminKey(), upgrade: 'h2c', 'content-type': 'application/json' };
    expect((await upgrade('/books', headers, 'POST', '{"title":"Emma"}')).status).toBe(201);
    expect((await upgrade('/live', headers)).status).toBe(404);
  });

  it('passes global guards, as routes of plugins do', async () => {
    const seen: string[] = [];
    const guard: CanActivate = {
      canActivate: (context: ExecutionContext) => {
        seen.push(`${context.getClass().name}.${context.getHandler().name}`);
        return false;
      },
    };
    @Module({ providers: [{ provide: APP_GUARD, useValue: guard }] })
    class GuardedModule {}
    const { url } = await start({
      modules: [GuardedModule],
      access: { ...access, 'GET /early': 'public', 'GET /late': 'public' },
      configure: async (app) => {
        configure(app);
        const fastify = app.getHttpAdapter().getInstance();
        await fastify.register((plugin, _options, done) => {
          plugin.get('/early', () => 'early');
          done();
        });
        void fastify.register((plugin, _options, done) => {
          plugin.get('/late', () => 'late');
          done();
        });
      },
    });
    expect((await upgrade('/rooms/1')).status).toBe(403);
    expect([(await fetch(`${url}/early`)).status, (await fetch(`${url}/late`)).status]).toEqual([403, 403]);
    expect(seen).toEqual(['PluginRoutes.upgrade', 'PluginRoutes.route', 'PluginRoutes.route']);
  });

  it('leaves a connection that ends with the service', async () => {
    const { stop } = await start();
    const { socket } = await upgrade('/rooms/1');
    const closed = once(socket as Socket, 'close');
    socket?.on('error', () => undefined).resume();
    await stop();
    await closed;
  });
});

describe('An UPGRADE entry of the option access', () => {
  it('stops the start without a listener, or with an unknown scope', async () => {
    expect(await refusal({ configure: () => undefined })).toMatch(
      /^StartRefusedError: The option access names "UPGRADE \/rooms\/\*", and no WebSocket gateway listens: call app\.useWebSocketAdapter\(.*\.$/,
    );
    expect(await refusal({ access: { 'UPGRADE /live': { scope: 'boks:read' } } })).toContain(
      'needs the scope "boks:read", which nothing declares',
    );
  });
});

it('A library that takes requests before the service stops the start', async () => {
  const takesRequests = (app: NestFastifyApplication): void => {
    app.getHttpServer().on('request', () => undefined);
  };
  expect(await refusal({ configure: takesRequests })).toMatch(
    /^StartRefusedError: A library, such as socket\.io, .*\.$/,
  );
});
