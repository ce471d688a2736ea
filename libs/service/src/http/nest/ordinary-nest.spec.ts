import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineCollection } from '../../data/definition/define-collection.js';
import { Text } from '@items/fields';
import { Schema } from '../../data/schema/schema.js';
import {
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestModule,
  Param,
  ParseIntPipe,
  Post,
  Query,
  RawBody,
  Req,
  StreamableFile,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { IsInt, Min } from 'class-validator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { map, of, type Observable } from 'rxjs';
import type { QueryRunner } from 'typeorm';

import { collectionRoutes } from './collection-routes.js';
import { ConventionsModule } from './conventions.module.js';
import { createApp, type ServedApp } from './create-app.js';
import { JsonBody } from './json-body.js';

class NameDto {
  @Text({ max: 20 })
  name!: string;
}

class CountDto {
  @IsInt()
  @Min(1)
  count!: number;
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Wrapping implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((body: unknown) => ({ wrapped: body })));
  }
}

@Controller('cats')
class CatsController {
  @Post()
  create(@Body() body: unknown): unknown {
    return { body };
  }

  @Post('counts')
  count(@Body(new ValidationPipe()) { count }: CountDto): unknown {
    return { count };
  }

  @Post('raw')
  raw(@RawBody() bytes: Buffer): unknown {
    return { length: bytes.length };
  }

  @Post('named')
  @UseGuards(ClosedGuard)
  named(@JsonBody(NameDto) name: NameDto): unknown {
    return name;
  }

  @Post('uploads')
  upload(@Req() request: FastifyRequest): unknown {
    return { body: request.body };
  }

  @Get()
  list(@Query('page', ParseIntPipe) page: number, @Query() query: unknown): unknown {
    return { page, query };
  }

  @Get('closed')
  @UseGuards(ClosedGuard)
  closed(): unknown {
    return {};
  }

  @Get('wrapped')
  @UseInterceptors(Wrapping)
  wrapped(): unknown {
    return 'cat';
  }

  @Get('observed')
  observed(): unknown {
    return of({ of: 'observable' });
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('of file'));
  }

  @Get('cookies')
  cookies(@Req() request: FastifyRequest & { cookies?: unknown }): unknown {
    return { cookies: request.cookies };
  }

  @Get('numbers/:n')
  number(@Param('n', ParseIntPipe) n: number): unknown {
    return { n };
  }
}

@Controller('inner')
class InnerController {
  @Get()
  inner(): unknown {
    return { of: 'moved/inner' };
  }
}
@Module({ controllers: [InnerController] })
class MovedModule {}

const toys = defineCollection({ name: 'toys', singular: 'toy', dto: NameDto, sortableTimes: [] });
class CreateToys1800000000000 {
  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.createCollection({ table: 'toys', columns: [`name ${schema.text}`], sortable: [], filters: [] });
  }
}

/** Adds a member to each request and fills it in a hook, as `@fastify/cookie` does. */
function cookies(fastify: FastifyInstance): void {
  fastify.decorateRequest('cookies', null);
  fastify.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, { cookies: request.headers.cookie?.split('=') });
    done();
  });
}

/** Adds a parser of one media type, as `@fastify/multipart` does. */
function multipart(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, text, done) => {
    done(null, text);
  });
}

describe('In an application of createApp(), as in any of Nest on Fastify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-ordinary-'));
  const passed: string[] = [];
  let served: ServedApp;
  let url: string;

  @Module({
    imports: [
      ConventionsModule.forRoot({
        database: { dialect: 'sqlite', file: join(folder, 'toys.sqlite') },
        migrations: [CreateToys1800000000000],
      }),
      ConventionsModule.forFeature(toys),
      MovedModule,
      RouterModule.register([{ path: 'moved', module: MovedModule }]),
    ],
    controllers: [CatsController],
    providers: [
      collectionRoutes(toys, {
        path: 'toys',
        read: {
          preHandler: (_request, reply, done) => {
            reply.header('x-read', 'toys');
            done();
          },
        },
      }),
    ],
  })
  class AppModule implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      const note = ({ originalUrl }: { originalUrl: string }, _response: unknown, next: () => void): void => {
        passed.push(`module ${originalUrl}`);
        next();
      };
      consumer.apply(note).forRoutes('cats/*rest');
    }
  }

  beforeAll(async () => {
    served = await createApp(AppModule, { logger: false });
    const { app } = served;
    app.use((_request: unknown, _response: unknown, next: () => void) => {
      passed.push('app');
      next();
    });
    const fastify = app.getHttpAdapter().getInstance();
    cookies(fastify);
    multipart(fastify);
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      reply.header('x-sent', typeof payload);
      done(null, payload);
    });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  beforeEach(() => {
    passed.length = 0;
  });
  afterAll(async () => {
    await served.app.close();
    rmSync(folder, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}): Promise<unknown> =>
    (await fetch(url + path, { headers })).json();
  const post = (path: string, body: string, type = 'application/json'): Promise<Response> =>
    fetch(url + path, { method: 'POST', body, headers: { 'content-type': type } });
  const posted = async (path: string, body: string, type?: string): Promise<unknown> =>
    (await post(path, body, type)).json();

  it('@Body() has the parsed body: JSON, a form, a text', async () => {
    expect(await posted('/cats', '{"name":"Tom"}')).toEqual({ body: { name: 'Tom' } });
    expect(await posted('/cats', 'name=Tom&name=Tim', 'application/x-www-form-urlencoded')).toEqual({
      body: { name: ['Tom', 'Tim'] },
    });
    expect(await posted('/cats', 'Tom', 'text/plain')).toEqual({ body: 'Tom' });
    expect(await (await fetch(`${url}/cats`, { method: 'POST' })).json()).toEqual({});
  });

  it.each([
    ['{"name":', 'application/json', 400, 'malformed_body'],
    ['<name/>', 'application/xml', 415, 'unsupported_media_type'],
    [`"${'x'.repeat(1_048_576)}"`, 'application/json', 413, 'body_too_large'],
  ])('a body without a parser is refused in the common error format', async (body, type, status, code) => {
    const answer = await post('/cats', body, type);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it('ValidationPipe validates with class-validator', async () => {
    expect(await posted('/cats/counts', '{"count":2}')).toEqual({ count: 2 });
    expect((await post('/cats/counts', '{"count":0}')).status).toBe(400);
  });

  it('@RawBody() has the bytes', async () => {
    expect(await posted('/cats/raw', '{"a": 1}')).toEqual({ length: 8 });
  });

  it('@Query() has the query, and pipes validate it', async () => {
    expect(await get('/cats?page=2&sort=name')).toEqual({ page: 2, query: { page: '2', sort: 'name' } });
    expect(await get('/cats?page=two')).toMatchObject({ error: expect.any(String) });
    expect(await get('/cats/numbers/7')).toEqual({ n: 7 });
  });

  it('guards, interceptors, Observables, files and modules with a path work', async () => {
    expect((await fetch(`${url}/cats/closed`)).status).toBe(403);
    expect(await get('/cats/wrapped')).toEqual({ wrapped: 'cat' });
    expect(await get('/cats/observed')).toEqual({ of: 'observable' });
    expect(await (await fetch(`${url}/cats/file`)).text()).toBe('of file');
    expect(await get('/moved/inner')).toEqual({ of: 'moved/inner' });
  });

  it('@JsonBody() leaves the body unread until the guards have let the request in', async () => {
    const answer = await post('/cats/named', `"${'x'.repeat(2_000_000)}`);
    expect(answer.status).toBe(403);
  });

  it('middleware of app.use() runs for all routes, before that of a module for its own routes', async () => {
    await get('/cats/observed');
    expect(passed).toEqual(['app', 'module /cats/observed']);
    await get('/toys');
    expect(passed).toEqual(['app', 'module /cats/observed', 'app']);
    await get('/unknown');
    expect(passed).toHaveLength(3);
  });

  it('plugins of Fastify add members to requests, and parsers of media types', async () => {
    expect(await get('/cats/cookies', { cookie: 'a=b' })).toEqual({ cookies: ['a', 'b'] });
    expect(await posted('/cats/uploads', 'parts', 'multipart/form-data; boundary=x')).toEqual({ body: 'parts' });
    expect((await post('/toys', 'parts', 'multipart/form-data; boundary=x')).status).toBe(415);
  });

  it('onSend hooks see the responses of controllers and collections', async () => {
    const made = await post('/toys', '{"name":"Ball"}');
    expect([made.status, made.headers.get('x-sent')]).toEqual([201, 'string']);
    const path = made.headers.get('location') ?? '';
    for (const each of ['/cats/observed', '/toys', path]) {
      const answer = await fetch(url + each);
      expect([each, answer.status, answer.headers.get('x-sent')]).toEqual([each, 200, 'string']);
    }
    expect((await fetch(url + path, { method: 'DELETE' })).headers.get('x-sent')).toBe('undefined');
  });

  it("hooks of a collection's routes run for these routes only", async () => {
    expect((await fetch(`${url}/toys`)).headers.get('x-read')).toBe('toys');
    expect((await post('/toys', '{"name":"Ball"}')).headers.get('x-read')).toBeNull();
  });
});
