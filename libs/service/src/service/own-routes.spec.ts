import { Controller, Get, Injectable, Module, Param, type Type, UseGuards } from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { SkipThrottle, Throttle, ThrottlerGuard } from '@nestjs/throttler';
import { Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';
import type { FastifyInstance } from 'fastify';

import {
  Authenticated,
  collection,
  EveryUsersData,
  type Owner,
  OwnerOrAdmin,
  PathOwner,
  Public,
  RequireAnyScope,
  RequireScope,
} from '../index.js';
import type { ServiceOptions } from './composition/composition.js';
import { type StartedService, startForTest, StartedServices } from './started-services.testing.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
}
const named = (decorators: ClassDecorator[] = []): ReturnType<typeof collection<BookInput>> =>
  collection({ name: 'books', singular: 'book', input: BookInput, decorators });

function moduleOf(controllers: Type[], providers: object[] = []): Type {
  @Module({ controllers, providers: providers as never })
  class OwnModule {}
  return OwnModule;
}

let running: StartedService | undefined;
async function start(controllers: Type[], options: Partial<ServiceOptions> = {}): Promise<StartedService> {
  running = await startForTest({ collections: [named()], modules: [moduleOf(controllers)], ...options });
  return running;
}
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

/** Returns the message of a refused start, which is one sentence. */
async function refusal(start: Promise<unknown>): Promise<string> {
  const error = (await start.then(
    () => new Error('It has started.'),
    (reason: unknown) => reason,
  )) as Error;
  expect(error.stack).toBe(`${error.name}: ${error.message}`);
  return error.message;
}
const starting = (
  decorate: MethodDecorator[],
  path = 'probe',
  classDecorators: ClassDecorator[] = [],
): Promise<string> => {
  class ProbeController {
    probe(): string {
      return 'probe';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(ProbeController.prototype, 'probe') as PropertyDescriptor;
  for (const each of [...decorate, Get()]) each(ProbeController.prototype, 'probe', descriptor);
  for (const each of [...classDecorators, Controller(path)]) each(ProbeController);
  return refusal(start([ProbeController]));
};

describe('A route of an own controller', () => {
  it('stops the start without an access rule', async () => {
    expect(await starting([])).toBe(
      'ProbeController.probe() (GET /probe) declares no access rule: decorate it with @RequireScope(), @RequireAnyScope(), @Authenticated() or @Public().',
    );
  });

  it.each([
    ['@RequireScope()', RequireScope('boks:read')],
    ['@RequireAnyScope()', RequireAnyScope('books:read', 'boks:read')],
  ])('stops the start if %s names a scope that nothing declares', async (_name, decorator) => {
    expect(await starting([decorator])).toMatch(
      /^ProbeController\.probe\(\) .* needs the scope "boks:read", which nothing/,
    );
  });

  it.each([
    ['users/:id/reports', "@OwnerOrAdmin('id') or @EveryUsersData()"],
    ['reports/:user_id', "@OwnerOrAdmin('user_id') or @EveryUsersData()"],
    ['reports/:userId.json', "@OwnerOrAdmin('userId') or @EveryUsersData()"],
  ])('below %s stops the start without an owner', async (path, decorators) => {
    expect(await starting([RequireScope('books:read')], path)).toContain(
      `names a user in its path: decorate it with ${decorators}.`,
    );
    expect(await starting([RequireScope('books:read')], path, [OwnerOrAdmin('other') as ClassDecorator])).toContain(
      decorators,
    );
  });

  it('stops the start if its owner is no parameter of its path, or if it is public', async () => {
    expect(await starting([RequireScope('books:read'), OwnerOrAdmin('id')])).toContain(
      'its path has no such parameter',
    );
    expect(await starting([Public(), OwnerOrAdmin('id')], 'users/:id')).toContain(
      'is @Public(), so no caller can be its owner',
    );
  });

  it('shows the data of a user only to that user and to administrators, unless it has @EveryUsersData()', async () => {
    @Controller('users/:user_id')
    class ReportsController {
      @Get('report')
      @RequireScope('books:read')
      @OwnerOrAdmin('user_id')
      report(@PathOwner() { id }: Owner): unknown {
        return { id };
      }

      @Get('card')
      @Authenticated()
      @EveryUsersData()
      card(@Param('user_id') id: string): unknown {
        return { id };
      }
    }
    const { admin, url } = await start([ReportsController]);
    const ids: string[] = [];
    for (const username of ['ann', 'bob']) {
      const made = await admin.post('/users', { username, password: 'correct horse battery', role: 'member' });
      ids.push((made.json() as { id: string }).id);
    }
    const authorization = `Basic ${Buffer.from('ann:correct horse battery').toString('base64')}`;
    const ann = new HttpClient({ baseUrl: url, headers: [['Authorization', authorization]] });
    expect((await ann.get('/users/me/report')).json()).toEqual({ id: ids[0] });
    expect((await ann.get(`/users/${String(ids[1])}/report`)).status).toBe(403);
    expect((await ann.get(`/users/${String(ids[1])}/card`)).json()).toEqual({ id: ids[1] });
    expect((await admin.get(`/users/${String(ids[1])}/report`)).json()).toEqual({ id: ids[1] });
  });
});

describe('A guard that would not work stops the start', () => {
  class OwnThrottlerGuard extends ThrottlerGuard {}
  class JwtGuard extends AuthGuard('jwt') {}
  const open = Public();

  it.each([
    [ThrottlerGuard, 'the guard ThrottlerGuard', '@Throttle()'],
    [OwnThrottlerGuard, 'the guard OwnThrottlerGuard', '@Throttle()'],
    [AuthGuard('jwt'), 'the guard AuthGuard(…)', 'auth.strategies'],
    [JwtGuard, 'the guard JwtGuard', 'auth.strategies'],
  ] as [Type, string, string][])(
    'on a handler, a controller or a collection, or globally: %p',
    async (guard, name, instead) => {
      const sentences = [
        await starting([open, UseGuards(guard)]),
        await starting([open], 'probe', [UseGuards(guard)]),
        await refusal(start([], { collections: [named([UseGuards(guard)])] })),
      ];
      const provider = { provide: APP_GUARD, useValue: Object.create(guard.prototype as object) as object };
      const global = await refusal(start([], { modules: [moduleOf([], [provider])] }));
      for (const sentence of sentences) expect(sentence).toContain(`has ${name}, and the service`);
      expect(global).toContain(`has the global ${name.slice(4)}, and the service`);
      for (const sentence of [...sentences, global])
        expect(sentence).toContain(`use ${instead === '@Throttle()' ? instead : `the option ${instead}`}.`);
    },
  );
});

describe('The option access', () => {
  /** Adds routes directly to Fastify, as a plugin does. */
  const plugin = (...urls: string[]): Type => {
    @Injectable()
    class Adding {
      constructor(private readonly host: HttpAdapterHost) {}
      onModuleInit(): void {
        const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
        for (const url of urls) fastify.get(url, () => ({ url }));
      }
    }
    return moduleOf([], [Adding]);
  };

  it('gives routes of plugins their rule: the longest entry wins', async () => {
    const access = { 'GET /swagger*': 'public', 'GET /swagger/private': { scope: 'books:read' } } as const;
    const { url, admin } = await start([], { modules: [plugin('/swagger/json', '/swagger/private')], access });
    const stranger = new HttpClient({ baseUrl: url });
    expect((await stranger.get('/swagger/json')).status).toBe(200);
    expect((await stranger.get('/swagger/private')).status).toBe(401);
    expect((await admin.get('/swagger/private')).status).toBe(200);
  });

  it('stops the start if an entry is missing, malformed, useless, or names an unknown scope', async () => {
    const starts = (access: object): Promise<string> =>
      refusal(start([], { modules: [plugin('/extra')], access: access as never }));
    expect(await starts({})).toContain("access: { 'GET /extra': 'public' }");
    expect(await starts({ 'GET extra': 'public' })).toContain('no valid entry "GET extra"');
    expect(await starts({ 'GET /extra': 'everyone' })).toContain('no valid entry "GET /extra"');
    expect(await starts({ 'GET /extra': 'public', 'GET /none': 'public' })).toContain(
      'names "GET /none", but no plugin registers such a route',
    );
    expect(await starts({ 'GET /extra': { scope: 'boks:read' } })).toContain('"boks:read", which nothing declares');
  });
});

@Controller('probes')
@Throttle({ default: { limit: 2, ttl: 60_000 } })
class ProbesController {
  @Get('one')
  @RequireScope('books:read')
  one(): string {
    return 'one';
  }

  @Get('two')
  @RequireScope('books:read')
  two(): string {
    return 'two';
  }

  @Get('open')
  @Public()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  open(): string {
    return 'open';
  }

  @Get('skipped')
  @Public()
  @SkipThrottle()
  @Throttle({ default: { limit: 100, ttl: 60_000 } })
  skipped(): string {
    return 'skipped';
  }
}
@Controller('free')
@SkipThrottle()
class FreeController {
  @Get()
  @Public()
  free(): string {
    return 'free';
  }

  @Get('scoped')
  @RequireScope('books:read')
  scoped(): string {
    return 'scoped';
  }
}

onBothDatabases(
  '@Throttle()',
  (database) => Promise.resolve(new StartedServices(database)),
  (under) => {
    it.each([[''], ['redis://127.0.0.1:6379']])(
      'is a further quota of each handler for each user (REDIS_URL=%s)',
      async (redis) => {
        const users = await under.database.start({
          collections: [named([Throttle({ default: { limit: 1, ttl: 60_000 } })])],
          modules: [moduleOf([ProbesController, FreeController])],
          settings: { REDIS_URL: redis, RATE_LIMIT: '600/60', RATE_LIMIT_ANONYMOUS: '50/60' },
        });
        const username = `u${String(process.pid)}${String(Date.now())}`;
        const password = 'correct horse battery';
        await users.admin.post('/users', { username, password, role: 'admin' });
        const basic = new HttpClient({
          baseUrl: users.url,
          headers: [['Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`]],
        });
        const made = await basic.post('/api-keys', { name: 'Own', scopes: ['books:read', 'books:write'] });
        const { key } = made.json() as { key: string };
        const keyed = new HttpClient({ baseUrl: users.url, headers: [['X-API-Key', key]] });
        const first = await basic.get('/probes/one');
        expect([first.status, first.header('x-ratelimit-limit'), first.header('x-ratelimit-remaining')]).toEqual([
          200,
          '2',
          '1',
        ]);
        expect(first.header('ratelimit-policy')).toBe('"route";q=2;w=60');
        expect((await keyed.get('/probes/one')).status).toBe(200);
        const third = await basic.get('/probes/one');
        expect([third.status, (third.json() as { code: string }).code]).toEqual([429, 'rate_limited']);
        expect(third.header('retry-after')).toMatch(/^\d+$/);
        expect((await basic.get('/probes/two')).status).toBe(200);
        expect([(await basic.get('/books')).status, (await keyed.get('/books')).status]).toEqual([200, 429]);
        expect((await keyed.post('/books', { title: 'Emma' })).status).toBe(201);
        const skipped = await basic.get('/probes/skipped');
        expect(skipped.header('x-ratelimit-limit')).toBe('100');
        const scoped = await basic.get('/free/scoped');
        expect([scoped.status, scoped.header('x-ratelimit-limit')]).toEqual([200, undefined]);
        await users.stop();
      },
    );

    it('counts requests without a credential by address, even with @SkipThrottle()', async () => {
      const service = await under.database.start({
        collections: [named()],
        modules: [moduleOf([ProbesController, FreeController])],
        settings: { RATE_LIMIT_ANONYMOUS: '50/60' },
      });
      const stranger = new HttpClient({ baseUrl: service.url });
      expect([(await stranger.get('/probes/open')).status, (await stranger.get('/probes/open')).status]).toEqual([
        200, 429,
      ]);
      expect((await stranger.get('/free')).header('x-ratelimit-limit')).toBe('50');
      expect((await stranger.get('/free/scoped')).status).toBe(401);
      await service.stop();
    });
  },
);

describe('@Throttle() and @SkipThrottle() stop the start', () => {
  it.each([
    [Throttle({ short: { limit: 1, ttl: 1 } }), 'names the throttler "short"'],
    [SkipThrottle({ short: true }), 'names the throttler "short"'],
    [Throttle({ default: { limit: 1, ttl: 1000, blockDuration: 5 } }), 'has an option other than limit and ttl'],
    [Throttle({ default: { limit: 1 } }), 'needs a limit and a ttl'],
    [Throttle({ default: { limit: () => 1, ttl: 1000 } }), 'needs a limit and a ttl'],
  ])('if their options do not work: %p', async (decorator, problem) => {
    expect(await starting([Public(), decorator])).toContain(problem);
  });

  it('if a collection omits the common quota', async () => {
    expect(await refusal(start([], { collections: [named([SkipThrottle()])] }))).toContain(
      'The collection of BooksRoutes has @SkipThrottle() among its decorators',
    );
  });
});
