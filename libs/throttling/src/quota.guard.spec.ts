import { Controller, type DynamicModule, Get, type INestApplication, Module, Post } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SkipThrottle, Throttle, ThrottlerModule } from '@nestjs/throttler';

import { type CountedRequest, Quota, type QuotaHolder } from './quota.js';
import { QuotaGuard } from './quota.guard.js';
import { quotaOptions } from './quota-options.js';

/** A guard as a team would write it: a key in a header identifies the caller. */
class KeyGuard extends QuotaGuard {
  protected override holderOf(request: CountedRequest & { headers?: Record<string, string> }): QuotaHolder | null {
    const key = request.headers?.['x-api-key'];
    return key === undefined ? null : { credentialId: key, rateLimit: null };
  }
}

@Controller('cats')
class CatsController {
  @Get()
  list(): string[] {
    return [];
  }

  @SkipThrottle()
  @Post()
  create(): string {
    return 'created';
  }
}

@Controller('dogs')
class DogsController {
  @Throttle({ default: { limit: 1, ttl: 1500 } })
  @Get()
  list(): string[] {
    return [];
  }
}

const quotas = { credential: { requests: 2, seconds: 60 }, address: { requests: 1, seconds: 30 }, link: null };

@Module({})
class CatsModule {
  /** Creates its own counters. */
  static register(): DynamicModule {
    return {
      module: CatsModule,
      imports: [ThrottlerModule.forRoot(quotaOptions(quotas))],
      controllers: [CatsController, DogsController],
      providers: [Quota, { provide: APP_GUARD, useClass: KeyGuard }],
    };
  }
}

describe.each([
  { name: 'Express', adapter: () => new ExpressAdapter() },
  { name: 'Fastify', adapter: () => new FastifyAdapter() },
])('QuotaGuard in an app on $name (SPEC §8)', ({ adapter }) => {
  let app: INestApplication;
  let url: string;

  beforeEach(async () => {
    app = await NestFactory.create(CatsModule.register(), adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/cats`;
  });

  afterEach(() => app.close());

  it('returns 429 with Retry-After for one request too many of an address, and the state of the quota in each response', async () => {
    const [first, second] = [await fetch(url), await fetch(url)];
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(first.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(second.headers.get('retry-after')).toMatch(/^(29|30)$/);
    expect(await second.json()).toMatchObject({ statusCode: 429 });
  });

  it('counts for the credential that an app names, and not for its address', async () => {
    const statusWith = async (key: string): Promise<number> =>
      (await fetch(url, { headers: { 'X-API-Key': key } })).status;
    expect([await statusWith('a'), await statusWith('a'), await statusWith('a')]).toEqual([200, 200, 429]);
    expect([await statusWith('b'), (await fetch(url)).status]).toEqual([200, 200]);
  });

  it('counts a handler with @Throttle() in a further quota of its own', async () => {
    const request = (path: string): Promise<Response> => fetch(new URL(path, url), { headers: { 'X-API-Key': 'a' } });
    const [first, second, other] = [await request('/dogs'), await request('/dogs'), await request('/cats')];
    expect([first.status, second.status, other.status]).toEqual([200, 429, 429]);
    expect(first.headers.get('ratelimit-policy')).toBe('"route";q=1;w=2');
  });

  it('does not count routes with @SkipThrottle()', async () => {
    for (let n = 0; n < 3; n++) expect((await fetch(url, { method: 'POST' })).status).toBe(201);
    expect((await fetch(url)).status).toBe(200);
  });
});
