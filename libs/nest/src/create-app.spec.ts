import 'reflect-metadata';

import { Server } from 'node:net';

import { defineCollection } from '@items/collections';
import { Text } from '@items/fields';
import { JsonBody as ParsedJsonBody } from '@items/fields/nest';
import { createEdge } from '@items/http';
import { TEST_CERTIFICATE } from '@items/testing';
import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  Post,
  Query,
  RawBody,
  Req,
  UseGuards,
  type CanActivate,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { collectionController } from './collection-controller.js';
import { createApp, type AppOptions } from './create-app.js';
import { Exchange, type HttpExchange } from './http-exchange.js';
import { EDGE_HOOKS } from './served.module.js';

class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller('cats')
class CatsController {
  @Get()
  list(): object {
    return {};
  }

  /** Whose the key of the request is. */
  @Post()
  create(@Exchange() exchange: HttpExchange): object {
    return { keyOf: exchange.repeatable({})?.callerId };
  }
}

/** An application of one module of these parts, listening; it is closed after the test. */
async function start(parts: ModuleMetadata, options: AppOptions = {}, guards: CanActivate[] = []): Promise<string> {
  @Module(parts)
  class AppModule {}
  const { app } = await createApp(AppModule, { logger: false, ...options });
  opened.push(app);
  app.useGlobalGuards(...guards);
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

describe('The routes of a collection', () => {
  it('are not made for a nested one: they would show the members of everybody', () => {
    class NoteDto {
      @Text({ max: 20 })
      text!: string;
    }
    const notes = defineCollection({ name: 'notes', singular: 'note', dto: NoteDto, parent: 'user_id' });
    expect(() => collectionController(notes, { path: 'notes' })).toThrow(/"notes" is nested/);
  });
});

describe('An application that is warmed up', () => {
  const asked: string[] = [];

  @Controller('fish')
  class FishController {
    @Get()
    list(@Exchange('with query') _: HttpExchange, @Req() { url }: { readonly url: string }): object {
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
    'reads its collections before it listens, over %s, and tells of none',
    async (over) => {
      asked.splice(0);
      @Module({ controllers: [FishController, BirdsController, CatsController] })
      class FishModule {}
      const told: unknown[] = [];
      const edge = createEdge({ onAnswer: () => void told.push('an answer') });
      const server = over === 'TLS' ? { tls: TEST_CERTIFICATE } : {};
      const { app, warmUp } = await createApp(FishModule, { logger: false, edge, server, callerIdOf: 'everybody' });
      opened.push(app);
      await app.init();
      const answered = await warmUp({ headers: {}, forMs: 60_000, requests: 12 });
      expect(answered).toBeGreaterThanOrEqual(12);
      expect(new Set(asked)).toEqual(new Set(['/fish', '/fish?cursor=c%26d', 'get a/b']));
      expect(told).toEqual([]);
      expect(edge.connections.all()).toEqual([]);
    },
  );

  it('starts where there is no loopback interface', async () => {
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

  it('starts where that fails', async () => {
    @Module({ controllers: [BirdsController] })
    class BirdsModule {}
    const { app, warmUp } = await createApp(BirdsModule, { logger: false });
    opened.push(app);
    await app.init();
    expect(await warmUp({ headers: {}, forMs: 60_000, requests: 12 })).toBe(0);
  });
});

describe('Whose an Idempotency-Key is', () => {
  async function keyOwner(url: string, user: string): Promise<unknown> {
    const headers = { 'idempotency-key': 'a-key-of-mine', 'x-user': user };
    const answer = await fetch(`${url}/cats`, { method: 'POST', headers });
    return ((await answer.json()) as { keyOf: unknown }).keyOf;
  }

  @Controller('dogs')
  @UseGuards(OpenGuard)
  class GuardedController {
    @Post()
    create(): object {
      return {};
    }
  }

  @Controller('birds')
  class GuardedHandlerController {
    @Post()
    @UseGuards(OpenGuard)
    create(): object {
      return {};
    }
  }

  class InheritingController extends GuardedHandlerController {}
  Controller('parrots')(InheritingController);

  const GUARDED: [string, ModuleMetadata, CanActivate[]][] = [
    ['a controller', { controllers: [CatsController, GuardedController] }, []],
    ['a handler', { controllers: [GuardedHandlerController] }, []],
    ['a handler that a controller inherits', { controllers: [InheritingController] }, []],
    ['every route, as a provider', { providers: [{ provide: APP_GUARD, useClass: OpenGuard }] }, []],
    ['every route, by useGlobalGuards()', {}, [new OpenGuard()]],
  ];

  it.each(GUARDED)('must be said where a guard stands before %s', async (_, parts, guards) => {
    await expect(start(parts, {}, guards)).rejects.toThrow(/Give it callerIdOf: \(request\) => …, or callerIdOf: 'ev/);
    await expect(start(parts, { callerIdOf: 'everybody' }, guards)).resolves.toMatch(/^http/);
  });

  it('need not be said where guards stand before what is read alone', async () => {
    @Controller('fish')
    @UseGuards(OpenGuard)
    class ReadController {
      @Get()
      list(): object {
        return {};
      }
    }
    await expect(start({ controllers: [CatsController, ReadController] })).resolves.toMatch(/^http/);
  });

  it('need not be said where there are no guards', async () => {
    expect(await keyOwner(await start({ controllers: [CatsController] }), 'ann')).toBe('');
  });

  it('is what callerIdOf says of the request', async () => {
    const callerIdOf: AppOptions['callerIdOf'] = ({ headers }) => String(headers['x-user']);
    const url = await start({ controllers: [CatsController, GuardedController] }, { callerIdOf });
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
  ])('stop the start where they are provided %s, and the root module does not export them', async (_, parts) => {
    await expect(start(parts)).rejects.toThrow(/^EDGE_HOOKS are provided, and the root module does not export them/);
  });

  it.each<[string, ModuleMetadata]>([
    ['provides and exports them', { providers: [provider], exports: [EDGE_HOOKS] }],
    ['exports those of another one', { imports: [ExportingModule], exports: [ExportingModule] }],
  ])('are asked about requests that no route takes where the root module %s', async (_, parts) => {
    const url = await start(parts);
    asked.length = 0;
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect(asked).toEqual(['/nothing']);
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

  it('is told apart from the one of this lib: what is sent is not called empty', async () => {
    const causes: unknown[] = [];
    const onError: AppOptions['onError'] = ({ cause }) => void causes.push(cause);
    const url = await start({ controllers: [NamesController] }, { onError });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/names`, { method: 'POST', body: '{"name":"Tom"}', headers });
    expect(answer.status).toBe(500);
    expect(String(causes[0])).toMatch(/createApp\(\) use @JsonBody\(\) of @items\/nest/);
  });
});

describe('A handler that takes what is always empty', () => {
  @Controller('bodies')
  class BodyController {
    @Post()
    create(@Param('id') _id: string, @Body() _body: object): void {}
  }

  @Controller('names')
  class NameController {
    @Post()
    create(@Body('name') _name: string): void {}
  }

  @Controller('raw')
  class RawController {
    @Post()
    create(@RawBody() _body: Buffer): void {}
  }

  @Controller('queries')
  class QueryController {
    @Get()
    list(@Query('page') _page: string): void {}
  }

  class InheritingController extends QueryController {}
  Controller('inherited')(InheritingController);

  it.each<[string, Type, RegExp]>([
    ['@Body()', BodyController, /^BodyController\.create\(\) takes @Body\(\)\. .* use @JsonBody\(Dto\)\.$/],
    [
      '@Body() of one field',
      NameController,
      /^NameController\.create\(\) takes @Body\(\)\. .* use @JsonBody\(Dto\)\.$/,
    ],
    ['@RawBody()', RawController, /^RawController\.create\(\) takes @RawBody\(\)\. .* use @JsonBody\(Dto\)\.$/],
    ['@Query()', QueryController, /^QueryController\.list\(\) takes @Query\(\)\. .* exchange\.listRequest\(\)\.$/],
    ['@Query(), inherited', InheritingController, /^InheritingController\.list\(\) takes @Query\(\)/],
  ])('stops the start: %s', async (_, controller, sentence) => {
    await expect(start({ controllers: [CatsController, controller] })).rejects.toThrow(sentence);
  });
});
