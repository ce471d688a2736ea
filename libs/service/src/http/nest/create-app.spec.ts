import 'reflect-metadata';

import { Server } from 'node:net';

import { defineCollection } from '../../data/definition/define-collection.js';
import { Text } from '@items/fields';
import { JsonBody as ParsedJsonBody } from '@items/fields/nest';
import { createEdge } from '../edge/edge.js';
import { TEST_CERTIFICATE } from '@items/testing';
import { Controller, Get, Module, Param, Post, Req, type ModuleMetadata } from '@nestjs/common';

import { collectionRoutes } from './collection-routes.js';
import { createApp, type AppOptions } from './create-app.js';
import { InjectCollectionExchange, type CollectionExchange } from './collection-exchange.js';
import { EDGE_HOOKS } from './served.module.js';

@Controller('cats')
class CatsController {
  @Get()
  list(): object {
    return {};
  }

  /** Returns the owner of the `Idempotency-Key`. */
  @Post()
  create(@InjectCollectionExchange() exchange: CollectionExchange): object {
    return { keyOf: exchange.repeatable({})?.callerId };
  }
}

/** Starts a Nest application that is closed after the test. */
async function start(parts: ModuleMetadata, options: AppOptions = {}): Promise<string> {
  @Module(parts)
  class AppModule {}
  const { app } = await createApp(AppModule, { logger: false, ...options });
  opened.push(app);
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

describe('The routes of a collection', () => {
  it('are not made for a nested collection without a parent: they would show the members of all users', () => {
    class NoteDto {
      @Text({ max: 20 })
      text!: string;
    }
    const notes = defineCollection({ name: 'notes', singular: 'note', dto: NoteDto, parent: 'user_id' });
    expect(() => collectionRoutes(notes, { path: 'notes' })).toThrow(/"notes" is nested/);
  });
});

describe('An application that is warmed up', () => {
  const asked: string[] = [];

  @Controller('fish')
  class FishController {
    @Get()
    list(
      @InjectCollectionExchange('with query') _: CollectionExchange,
      @Req() { url }: { readonly url: string },
    ): object {
      asked.push(url);
      return { fish: [{ id: 'a/b' }], next_cursor: 'c&d' };
    }

    @Get(':id')
    get(@Param('id') id: string): object {
      asked.push(`get ${id}`);
      return { id };
    }
  }

  @Controller('birds')
  class BirdsController {
    @Get()
    list(): never {
      throw new Error('broken');
    }

    @Get(':id')
    get(): object {
      asked.push('get of a bird');
      return {};
    }
  }

  it.each([['plain HTTP'], ['TLS']])(
    'reads its collections before it listens, over %s, and logs no response',
    async (over) => {
      asked.splice(0);
      @Module({ controllers: [FishController, BirdsController, CatsController] })
      class FishModule {}
      const logged: unknown[] = [];
      const edge = createEdge({ logResponse: () => void logged.push('an answer') });
      const server = over === 'TLS' ? { tls: TEST_CERTIFICATE } : {};
      const { app, warmUp } = await createApp(FishModule, { logger: false, edge, server, callerIdOf: 'everybody' });
      opened.push(app);
      await app.init();
      const answered = await warmUp({ headers: {}, forMs: 60_000, requests: 12 });
      expect(answered).toBeGreaterThanOrEqual(12);
      expect(new Set(asked)).toEqual(new Set(['/fish', '/fish?cursor=c%26d', 'get a/b']));
      expect(logged).toEqual([]);
      expect(edge.connections.all()).toEqual([]);
    },
  );

  it('starts without a loopback interface', async () => {
    @Module({ controllers: [FishController] })
    class FishModule {}
    const { app, warmUp } = await createApp(FishModule, { logger: false });
    opened.push(app);
    await app.init();
    const listen = jest.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
      setImmediate(() => this.emit('error', new Error('listen EADDRNOTAVAIL')));
      return this;
    });
    expect(await warmUp({ headers: {}, forMs: 60_000, requests: 12 })).toBe(0);
    listen.mockRestore();
  });

  it('starts if the warm-up fails', async () => {
    @Module({ controllers: [BirdsController] })
    class BirdsModule {}
    const { app, warmUp } = await createApp(BirdsModule, { logger: false });
    opened.push(app);
    await app.init();
    expect(await warmUp({ headers: {}, forMs: 60_000, requests: 12 })).toBe(0);
  });
});

describe('The owner of an Idempotency-Key', () => {
  async function keyOwner(url: string, user: string): Promise<unknown> {
    const headers = { 'idempotency-key': 'a-key-of-mine', 'x-user': user };
    const answer = await fetch(`${url}/cats`, { method: 'POST', headers });
    return ((await answer.json()) as { keyOf: unknown }).keyOf;
  }

  it('is by default the credential of the request', async () => {
    const url = await start({ controllers: [CatsController] });
    const owners = new Set<unknown>();
    for (const shown of [
      {},
      { authorization: 'Bearer a' },
      { authorization: 'Bearer b' },
      { 'x-api-key': 'a' },
      { cookie: 'a' },
    ]) {
      const headers = { 'idempotency-key': 'a-key-of-mine', ...shown };
      const ask = async (): Promise<unknown> =>
        ((await (await fetch(`${url}/cats`, { method: 'POST', headers })).json()) as { keyOf: unknown }).keyOf;
      const owner = await ask();
      expect(owner).toBe(await ask());
      owners.add(owner);
    }
    expect(owners.size).toBe(5);
  });

  it('is the same for all callers if they share their keys', async () => {
    const url = await start({ controllers: [CatsController] }, { callerIdOf: 'everybody' });
    const headers = { 'idempotency-key': 'a-key-of-mine', authorization: 'Bearer a' };
    expect(await (await fetch(`${url}/cats`, { method: 'POST', headers })).json()).toEqual({ keyOf: '' });
  });

  it('is the result of callerIdOf for the request', async () => {
    const callerIdOf: AppOptions['callerIdOf'] = ({ headers }) => String(headers['x-user']);
    const url = await start({ controllers: [CatsController] }, { callerIdOf });
    expect([await keyOwner(url, 'ann'), await keyOwner(url, 'bob')]).toEqual(['ann', 'bob']);
  });
});

describe('EDGE_HOOKS', () => {
  const asked: string[] = [];
  const hooks = {
    admit: ({ url }: { readonly url: string }): Promise<void> => {
      asked.push(url);
      return Promise.resolve();
    },
    refusalFor: () => null,
  };
  const provider = { provide: EDGE_HOOKS, useValue: hooks };

  @Module({ providers: [provider] })
  class HidingModule {}
  @Module({ providers: [provider], exports: [EDGE_HOOKS] })
  class ExportingModule {}

  it.each<[string, ModuleMetadata]>([
    ['by the root module', { providers: [provider] }],
    ['by a module that does not export them', { imports: [HidingModule] }],
    ['by a module that exports them', { imports: [ExportingModule] }],
  ])('stop the start if they are provided %s, and the root module does not export them', async (_, parts) => {
    await expect(start(parts)).rejects.toThrow(/^EDGE_HOOKS are provided, and the root module does not export them/);
  });

  it.each<[string, ModuleMetadata]>([
    ['provides and exports them', { providers: [provider], exports: [EDGE_HOOKS] }],
    ['exports those of another one', { imports: [ExportingModule], exports: [ExportingModule] }],
  ])('run for requests without a route if the root module %s', async (_, parts) => {
    const url = await start(parts);
    asked.length = 0;
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect(asked).toEqual(['/nothing']);
  });
});

describe('A list of an application without authentication', () => {
  @Controller('cats')
  class ListedController {
    @Get()
    list(@InjectCollectionExchange('with query') exchange: CollectionExchange): object {
      return { caller: exchange.listRequest({ sortable: [], filters: {} }).caller?.() };
    }
  }

  it('has the fairness key of the address', async () => {
    const url = await start({ controllers: [ListedController] });
    const headers = { authorization: 'Bearer unknown' };
    expect(await (await fetch(`${url}/cats`, { headers })).json()).toEqual({ caller: 'address:127.0.0.1' });
  });
});

describe('The @JsonBody() of @items/fields/nest', () => {
  class NameDto {
    @Text({ max: 20 })
    name!: string;
  }

  @Controller('names')
  class NamesController {
    @Post()
    create(@ParsedJsonBody(NameDto) name: NameDto): NameDto {
      return name;
    }
  }

  it('works too: Fastify has parsed the body', async () => {
    const url = await start({ controllers: [NamesController] });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/names`, { method: 'POST', body: '{"name":"Tom"}', headers });
    expect([answer.status, await answer.json()]).toEqual([201, { name: 'Tom' }]);
  });
});

describe('A hook of the adapter of Nest', () => {
  const open = async () => {
    @Module({ controllers: [CatsController] })
    class CatsModule {}
    const { app } = await createApp(CatsModule, { logger: false });
    opened.push(app);
    return app;
  };

  it.each(['enableCors', 'registerSecurityHook', 'setOnRequestHook', 'setOnResponseHook'] as const)(
    'is refused if it is added by %s()',
    async (method) => {
      const adapter = (await open()).getHttpAdapter() as unknown as Record<string, () => void>;
      expect(() => adapter[method]?.()).toThrow(`${method}() would do nothing: `);
    },
  );

  it('is refused if it protects against forged requests', async () => {
    const app = await open();
    expect(() => {
      app.enableCsrfProtection();
    }).toThrow('registerSecurityHook() would do nothing: ');
  });

  it('is refused at the start if it enables versions of routes', async () => {
    const app = await open();
    app.enableVersioning();
    await expect(app.init()).rejects.toThrow('a version belongs to the service: write it into the paths');
  });
});
