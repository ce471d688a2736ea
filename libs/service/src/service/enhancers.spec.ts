import {
  BadRequestException,
  type CallHandler,
  Catch,
  Controller,
  Get,
  type CanActivate,
  type ArgumentMetadata,
  type ExceptionFilter,
  type ArgumentsHost,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  Scope,
  SetMetadata,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  BaseExceptionFilter,
  Reflector,
  REQUEST,
} from '@nestjs/core';
import { Integer, Optional, Sortable, Text } from '@items/fields';
import { HttpClient, type Answer } from '@items/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

import { collection, Public, type RunningService, startService } from '../index.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

interface Seen {
  readonly controller: string;
  readonly handler: string;
  readonly body: unknown;
}

let running: RunningService | undefined;

/** Starts a service whose root module has these providers. */
async function start(
  providers: object[],
  collections: object[] = [books],
  controllers: Type[] = [],
): Promise<HttpClient> {
  @Module({ providers: providers as never, controllers })
  class EnhancedModule {}
  running = await startService({
    collections: collections as never,
    modules: [EnhancedModule],
    settings: { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'fatal' },
    signals: false,
  });
  return new HttpClient({ baseUrl: running.url, headers: [['X-API-Key', running.adminKey ?? '']] });
}

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const request = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

describe('A global guard on the routes of a collection', () => {
  it('refuses every operation with 403, before the body is read', async () => {
    const seen: Seen[] = [];
    @Injectable()
    class RefusingGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const { body } = request(context);
        seen.push({ controller: context.getClass().name, handler: context.getHandler().name, body });
        return false;
      }
    }
    const client = await start([{ provide: APP_GUARD, useClass: RefusingGuard }]);
    const id = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
    const responses = [
      await client.get('/books'),
      await client.post('/books', { title: 'Emma' }),
      await client.get(`/books/${id}`),
      await client.put(`/books/${id}`, { title: 'Emma' }),
      await client.delete(`/books/${id}`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((responses[1] as Answer).json()).toMatchObject({ code: 'forbidden' });
    expect(seen).toEqual(
      ['list', 'create', 'get', 'replace', 'remove'].map((handler) => ({
        controller: 'BooksRoutes',
        handler,
        body: undefined,
      })),
    );
  });

  it('is not called without a valid credential: 401 comes first', async () => {
    const canActivate = jest.fn(() => false);
    const client = await start([{ provide: APP_GUARD, useValue: { canActivate } }]);
    const stranger = new HttpClient({ baseUrl: running?.url ?? '' });
    expect((await stranger.get('/books')).status).toBe(401);
    expect(canActivate).not.toHaveBeenCalled();
    expect((await client.get('/books')).status).toBe(403);
  });

  it('may be request-scoped, and its exception becomes the response', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class TenantGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly injected: FastifyRequest) {}

      canActivate(): boolean {
        if (this.injected.headers['x-tenant'] === undefined) throw new BadRequestException('Name your tenant.');
        return true;
      }
    }
    const client = await start([{ provide: APP_GUARD, useClass: TenantGuard }]);
    const refused = await client.get('/books');
    expect([refused.status, refused.json()]).toEqual([400, { error: 'Name your tenant.', code: 'bad_request' }]);
    expect((await client.get('/books', ['X-Tenant', 'a'])).status).toBe(200);
  });
});

describe('Decorators of a collection', () => {
  it('apply to that collection alone, and Reflector finds their metadata', async () => {
    @Injectable()
    class TenantGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}

      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get<string>('tenant', context.getClass()) === request(context).headers['x-tenant'];
      }
    }
    const guarded = collection({
      name: 'notes',
      singular: 'note',
      input: BookInput,
      decorators: [UseGuards(TenantGuard), SetMetadata('tenant', 'a')],
    });
    const client = await start([], [books, guarded]);
    expect((await client.get('/books')).status).toBe(200);
    expect((await client.get('/notes')).status).toBe(403);
    expect((await client.post('/notes', { title: 'x' }, ['X-Tenant', 'a'])).status).toBe(201);
  });

  it('may be interceptors that inject a request-scoped provider', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class StampInterceptor implements NestInterceptor {
      constructor(@Inject(REQUEST) private readonly injected: FastifyRequest) {}

      intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(map((body) => ({ ...(body as object), agent: this.injected.headers['user-agent'] })));
      }
    }
    const stamped = collection({
      name: 'notes',
      singular: 'note',
      input: BookInput,
      decorators: [UseInterceptors(StampInterceptor)],
    });
    const client = await start([], [stamped]);
    const created = await client.post('/notes', { title: 'x' }, ['User-Agent', 'tests']);
    expect(created.json()).toMatchObject({ title: 'x', agent: 'tests' });
  });
});

describe('A global interceptor on the routes of a collection', () => {
  const wrapping = (change: (body: unknown) => unknown): NestInterceptor => ({
    intercept: (_context, next) => next.handle().pipe(map(change)),
  });

  it('gets objects and sends its own result: status and headers stay, a changed body has no ETag', async () => {
    const bodies: unknown[] = [];
    const change = (body: unknown): unknown => {
      bodies.push(body);
      return body === undefined ? { nothing: true } : { ...(body as object), seen: true };
    };
    const client = await start([{ provide: APP_INTERCEPTOR, useValue: wrapping(change) }]);
    const created = await client.post('/books', { title: 'Emma' });
    expect(created.status).toBe(201);
    expect(created.json()).toMatchObject({ title: 'Emma', seen: true });
    expect([created.header('etag'), created.header('location')]).toEqual([
      undefined,
      expect.stringMatching(/^\/books\//),
    ]);
    const page = await client.get('/books');
    expect(page.json()).toMatchObject({ books: [{ title: 'Emma' }], total: 1, seen: true });
    const location = created.header('location') ?? '';
    const deleted = await client.delete(location);
    expect([deleted.status, deleted.body.length]).toEqual([204, 0]);
    expect(bodies).toEqual([
      expect.objectContaining({ title: 'Emma' }),
      expect.objectContaining({ total: 1 }),
      undefined,
    ]);
  });

  it('leaves the ETag of a body that it does not change, and 304 has no body', async () => {
    const client = await start([{ provide: APP_INTERCEPTOR, useValue: wrapping((body) => body) }]);
    const created = await client.post('/books', { title: 'Emma' });
    const location = created.header('location') ?? '';
    const read = await client.get(location);
    expect(read.header('etag')).toBe(created.header('etag'));
    const unchanged = await client.get(location, ['If-None-Match', created.header('etag') ?? '']);
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  });

  it('runs after validation, and for the replay of an Idempotency-Key too', async () => {
    const intercept = jest.fn((_context: ExecutionContext, next: CallHandler) => next.handle());
    const client = await start([{ provide: APP_INTERCEPTOR, useValue: { intercept } }]);
    expect((await client.post('/books', {})).status).toBe(422);
    expect((await client.post('/books', 'no json')).status).not.toBe(201);
    expect(intercept).not.toHaveBeenCalled();
    const key = ['Idempotency-Key', 'once'] as const;
    const first = await client.post('/books', { title: 'Emma' }, key);
    const second = await client.post('/books', { title: 'Emma' }, key);
    expect([second.status, second.header('idempotent-replayed'), second.json()]).toEqual([201, 'true', first.json()]);
    expect(intercept).toHaveBeenCalledTimes(2);
  });
});

describe('A global pipe on the routes of a collection', () => {
  it('gets the validated input with the class of the collection, and its result is validated again', async () => {
    const seen: ArgumentMetadata[] = [];
    const pipe: PipeTransform<{ readonly title: string }> = {
      transform: (input, metadata) => {
        seen.push(metadata);
        if (input.title === 'forbidden') throw new BadRequestException('Not this one.');
        return input.title === 'long'
          ? { ...input, title: 'x'.repeat(300) }
          : { ...input, title: input.title.toUpperCase() };
      },
    };
    const client = await start([{ provide: APP_PIPE, useValue: pipe }]);
    expect((await client.post('/books', { title: ' Emma ' })).json()).toMatchObject({ title: 'EMMA', year: null });
    expect(seen).toEqual([expect.objectContaining({ type: 'body', metatype: BookInput })]);
    expect((await client.post('/books', { title: 'long' })).status).toBe(422);
    expect((await client.post('/books', { title: 'forbidden' })).status).toBe(400);
  });
});

describe('A global filter on the routes of a collection', () => {
  it('catches HttpExceptions with the body of the service, and BaseExceptionFilter sends the same response', async () => {
    const seen: unknown[] = [];
    @Catch(HttpException)
    class NotingFilter extends BaseExceptionFilter {
      override catch(exception: HttpException, host: ArgumentsHost): void {
        seen.push([exception.getStatus(), exception.getResponse()]);
        super.catch(exception, host);
      }
    }
    const plain = await start([]);
    const id = '/books/019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
    const expected = [await plain.get(id), await plain.post('/books', {})];
    await running?.stop();
    const client = await start([{ provide: APP_FILTER, useClass: NotingFilter }]);
    const filtered = [await client.get(id), await client.post('/books', {})];
    const shown = ({ status, body }: Answer): unknown => [status, body.toString()];
    expect(filtered.map(shown)).toEqual(expected.map(shown));
    expect(seen).toEqual(expected.map((response) => [response.status, response.json()]));
  });

  it('may send a response of its own, and sees no refusal of the steps before guards', async () => {
    class OwnFilter implements ExceptionFilter {
      catch(exception: unknown, host: ArgumentsHost): void {
        const reply = host.switchToHttp().getResponse<FastifyReply>();
        void reply.code(418).send({ teapot: (exception as Error).message });
      }
    }
    Catch()(OwnFilter);
    const client = await start([{ provide: APP_FILTER, useClass: OwnFilter }]);
    expect((await client.get('/books/none')).status).toBe(418);
    const stranger = new HttpClient({ baseUrl: running?.url ?? '' });
    expect((await stranger.get('/books')).status).toBe(401);
    expect((await client.get('/nothing')).status).toBe(404);
  });
});

describe('Enhancers on built-in routes', () => {
  it('a global guard refuses every path of the document, except /health/*, after the credential is checked', async () => {
    const client = await start([{ provide: APP_GUARD, useValue: { canActivate: () => false } }]);
    const plain = await startService({
      collections: [books],
      settings: { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'fatal' },
      signals: false,
    });
    const document = (await (await fetch(`${plain.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    await plain.stop();
    const statuses: Record<string, number> = {};
    for (const [path, operations] of Object.entries(document.paths)) {
      const target = path.replaceAll(/\{\w+\}/g, 'me');
      for (const method of Object.keys(operations)) {
        if (!['get', 'post', 'put', 'delete'].includes(method)) continue;
        const response = await client.send(method.toUpperCase(), target);
        statuses[`${method} ${path}`] = response.status;
      }
    }
    const served = Object.entries(statuses).filter(([, status]) => status !== 403);
    expect(served).toEqual([
      ['get /health/live', 200],
      ['get /health/ready', 200],
    ]);
    expect(Object.keys(statuses).length).toBeGreaterThan(40);
    expect((await client.send('OPTIONS', '/books')).status).toBe(204);
    expect((await client.get('/nothing')).status).toBe(404);
    expect((await client.delete('/books')).status).toBe(405);
  });

  it('a request-scoped global guard runs for public routes, too', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class AgentGuard implements CanActivate {
      constructor(@Inject(REQUEST) private readonly injected: FastifyRequest) {}

      canActivate(): boolean {
        return this.injected.headers['x-tenant'] !== undefined;
      }
    }
    const client = await start([{ provide: APP_GUARD, useClass: AgentGuard }]);
    expect((await client.get('/openapi.json')).status).toBe(403);
    expect((await client.get('/openapi.json', ['X-Tenant', 'a'])).status).toBe(200);
    expect((await client.get('/users')).status).toBe(403);
    expect((await client.get('/users', ['X-Tenant', 'a'])).status).toBe(200);
  });

  it('below /oauth, the refusal of a guard has the form of OAuth', async () => {
    const client = await start([{ provide: APP_GUARD, useValue: { canActivate: () => false } }]);
    const response = await client.send('POST', '/oauth/token');
    expect([response.status, response.json()]).toEqual([
      403,
      { error: expect.stringMatching(/^[a-z_]+$/), error_description: expect.any(String) },
    ]);
  });

  it('interceptors, pipes and filters leave public routes alone', async () => {
    const intercept = jest.fn((_context: ExecutionContext, next: CallHandler) => next.handle());
    const transform = jest.fn((value: unknown) => value);
    const client = await start([
      { provide: APP_INTERCEPTOR, useValue: { intercept } },
      { provide: APP_PIPE, useValue: { transform } },
    ]);
    for (const path of ['/openapi.json', '/docs', '/health/live', '/.well-known/oauth-authorization-server']) {
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    }
    expect((await client.post('/sessions', { username: 'unknown', password: 'x'.repeat(12) })).status).toBe(401);
    expect(intercept).not.toHaveBeenCalled();
    expect(transform).not.toHaveBeenCalled();
  });
});

describe('Enhancers on built-in controllers', () => {
  it('an interceptor gets objects after validation, and a changed body has no ETag', async () => {
    const bodies: unknown[] = [];
    const intercept = (_context: ExecutionContext, next: CallHandler): Observable<unknown> =>
      next.handle().pipe(
        map((body: unknown) => {
          bodies.push(body);

          return body === undefined ? undefined : { ...(body as object), seen: true };
        }),
      );
    const client = await start([{ provide: APP_INTERCEPTOR, useValue: { intercept } }]);
    expect((await client.post('/users', {})).status).toBe(422);
    expect(bodies).toEqual([]);
    const user = { username: 'mary', password: 'correct horse battery' };
    const created = await client.post('/users', user);
    expect([created.status, created.header('etag')]).toEqual([201, undefined]);
    expect(created.json()).toMatchObject({ username: 'mary', seen: true });
    expect((await client.get('/users')).json()).toMatchObject({ users: [{ username: 'mary' }], total: 1, seen: true });
    const location = created.header('location') ?? '';
    const deleted = await client.delete(location);
    expect([deleted.status, deleted.body.length]).toEqual([204, 0]);
    expect(bodies).toEqual([
      expect.objectContaining({ username: 'mary' }),
      expect.objectContaining({ total: 1 }),
      undefined,
    ]);
  });

  it('a pipe gets the validated body with its DTO, once, and the result is validated again', async () => {
    const seen: ArgumentMetadata[] = [];
    const transform = (value: { username?: string }, metadata: ArgumentMetadata): unknown => {
      seen.push(metadata);
      return metadata.type === 'body' ? { ...value, username: `${value.username ?? ''}-2` } : value;
    };
    const client = await start([{ provide: APP_PIPE, useValue: { transform } }]);
    const created = await client.post('/users', { username: 'mary', password: 'correct horse battery' });
    expect([created.status, created.json()]).toEqual([201, expect.objectContaining({ username: 'mary-2' })]);
    const bodies = seen.filter(({ metatype }) => metatype?.name === 'CreateUserDto');
    expect(bodies).toEqual([expect.objectContaining({ type: 'body' })]);
    expect((await client.post('/users', { username: 'x'.repeat(64), password: 'correct horse battery' })).status).toBe(
      422,
    );
  });

  it('an interceptor of an own controller may serialise values that JSON cannot', async () => {
    @Controller('counts')
    class CountsController {
      @Get()
      @Public()
      count(): unknown {
        return { count: 10n };
      }
    }
    const intercept = (_context: ExecutionContext, next: CallHandler): Observable<unknown> =>
      next.handle().pipe(map(({ count }: { count: bigint }) => ({ count: String(count) })));
    const client = await start([{ provide: APP_INTERCEPTOR, useValue: { intercept } }], [books], [CountsController]);
    expect((await client.get('/counts')).json()).toEqual({ count: '10' });
  });

  it.each(['/books', '/users'])(
    'a filter catches the refusal of a guard with the body of the service: %s',
    async (path) => {
      const seen: unknown[] = [];
      @Catch(HttpException)
      class NotingFilter extends BaseExceptionFilter {
        override catch(exception: HttpException, host: ArgumentsHost): void {
          seen.push([exception.constructor.name, exception.getResponse()]);
          super.catch(exception, host);
        }
      }
      const canActivate = (context: ExecutionContext): boolean => {
        if (request(context).headers['x-tenant'] === undefined) throw new BadRequestException('Name your tenant.');
        return false;
      };
      const client = await start([
        { provide: APP_FILTER, useClass: NotingFilter },
        { provide: APP_GUARD, useValue: { canActivate } },
      ]);
      const refused = [await client.get(path), await client.get(path, ['X-Tenant', 'a'])];
      expect(refused.map((response) => [response.status, response.json()])).toEqual([
        [400, { error: 'Name your tenant.', code: 'bad_request' }],
        [403, { error: 'Forbidden resource', code: 'forbidden' }],
      ]);
      expect(seen).toEqual([
        ['BadRequestException', refused[0]?.json()],
        ['ForbiddenException', refused[1]?.json()],
      ]);
    },
  );

  it('a filter combined with interceptors and pipes catches the errors of bodies', async () => {
    const codes: unknown[] = [];
    @Catch(HttpException)
    class NotingFilter extends BaseExceptionFilter {
      override catch(exception: HttpException, host: ArgumentsHost): void {
        codes.push((exception.getResponse() as { code: string }).code);
        super.catch(exception, host);
      }
    }
    const client = await start([
      { provide: APP_FILTER, useClass: NotingFilter },
      { provide: APP_PIPE, useValue: { transform: (value: unknown) => value } },
    ]);
    expect([(await client.post('/users', {})).status, (await client.post('/books', {})).status]).toEqual([422, 422]);
    expect(codes).toEqual(['validation_failed', 'validation_failed']);
  });

  it('a filter catches HttpExceptions with the body of the service', async () => {
    const seen: unknown[] = [];
    @Catch(HttpException)
    class NotingFilter extends BaseExceptionFilter {
      override catch(exception: HttpException, host: ArgumentsHost): void {
        seen.push(exception.getResponse());
        super.catch(exception, host);
      }
    }
    const client = await start([{ provide: APP_FILTER, useClass: NotingFilter }]);
    const missing = await client.get('/users/019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27');
    const invalid = await client.post('/users', {});
    expect([missing.status, invalid.status]).toEqual([404, 422]);
    expect(seen).toEqual([missing.json(), invalid.json()]);
  });
});
