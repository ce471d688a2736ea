import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestInterceptor,
  Post,
  Query,
  Req,
  type Type,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Text } from '@items/fields';
import { HttpClient, onBothDatabases } from '@items/testing';
import { IsInt } from 'class-validator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { map } from 'rxjs';

import { collection, Public } from '../index.js';
import { startTestService } from './testing/index.js';
import type { ServiceOptions } from './composition/composition.js';
import { type StartedService, startForTest } from './started-services.testing.js';

class BookInput {
  @Text({ max: 100 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

class RefusingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<FastifyRequest>().url !== '/books';
  }
}
class CountDto {
  @IsInt() count!: number;
}
@Injectable()
class Mailer {
  name(): string {
    return 'real';
  }
}
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
class UpperCase implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_context, next) =>
    next.handle().pipe(map((text) => String(text).toUpperCase()));
}
@Controller('mail')
class MailController {
  constructor(private readonly mailer: Mailer) {}

  @Get()
  @Public()
  @UseGuards(ClosedGuard)
  @UseInterceptors(UpperCase)
  show(): string {
    return this.mailer.name();
  }

  @Post()
  @Public()
  upload(@Req() { body }: FastifyRequest): unknown {
    return { body };
  }
}
@Module({ controllers: [MailController], providers: [Mailer] })
class MailModule {}

let running: Pick<StartedService, 'stop'> | undefined;
async function start(options: Partial<ServiceOptions>): Promise<StartedService> {
  const service = await startForTest({ collections: [books], modules: [MailModule], ...options });
  running = service;
  return service;
}
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
const refusal = async (options: Partial<ServiceOptions>): Promise<unknown> =>
  start(options).then(
    () => 'It has started.',
    (error: unknown) => (error as Error).stack,
  );

describe('The option configure', () => {
  it('gets the application once, before it listens: global enhancers and plugins work', async () => {
    const seen: boolean[] = [];
    const configure = async (app: NestFastifyApplication): Promise<void> => {
      seen.push(app.getHttpServer().listening);
      app.useGlobalGuards(new RefusingGuard()).useGlobalInterceptors(new UpperCase());
      await app.register((fastify: FastifyInstance) => {
        fastify.get('/plugged', () => 'plugged');
        return Promise.resolve();
      });
    };
    const { admin } = await start({ configure, access: { 'GET /plugged': 'public' } });
    expect(seen).toEqual([false]);
    expect((await admin.get('/books')).status).toBe(403);
    expect((await admin.get('/plugged')).text).toBe('plugged');
  });

  it('adds parsers of bodies for own controllers', async () => {
    const configure = (app: NestFastifyApplication): void => {
      const fastify = app.getHttpAdapter().getInstance();
      fastify.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, (_request, text, done) => {
        done(null, text);
      });
    };
    const { url } = await start({ configure });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const response = await fetch(`${url}/mail`, { method: 'POST', headers, body: 'parts' });
    expect([response.status, await response.json()]).toEqual([201, { body: 'parts' }]);
  });

  it('stops the start with app.setGlobalPrefix(), also in a chain', async () => {
    const sentence = /^StartRefusedError: app\.setGlobalPrefix\(\) .* BASE_URL, and let the proxy remove it\.$/;
    expect(await refusal({ configure: (app) => app.setGlobalPrefix('v1') })).toMatch(sentence);
    expect(await refusal({ configure: (app) => app.useGlobalGuards().setGlobalPrefix('v1') })).toMatch(sentence);
  });

  it.each([
    ['enableCors', 'enableCors() would do nothing: set CORS_ORIGINS.'],
    ['listen', 'app.listen() is called by startService(): set HOST and PORT, and remove the call.'],
  ] as const)('stops the start with app.%s()', async (name, sentence) => {
    expect(await refusal({ configure: (app) => app[name](0 as never) })).toBe(`StartRefusedError: ${sentence}`);
  });

  it.each(['useGlobalGuards', 'useGlobalPipes', 'useGlobalInterceptors', 'useGlobalFilters'] as const)(
    'is the only function for app.%s(): after the start it throws a sentence',
    async (name) => {
      const { app } = await start({});
      expect(() => app[name]()).toThrow(
        `app.${name}() has no effect after the start: call it in the option configure of startService().`,
      );
      expect(app.get(Mailer, { strict: false })).toBeInstanceOf(Mailer);
    },
  );
});

onBothDatabases(
  'startTestService({ override })',
  (config) => Promise.resolve({ config, close: () => Promise.resolve() }),
  (under) => {
    it("replaces providers, guards and interceptors by Nest's TestingModuleBuilder", async () => {
      const { config } = under.database;
      const DATABASE_URL = config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`;
      const guarded = collection({
        name: 'notes',
        singular: 'note',
        input: BookInput,
        decorators: [UseGuards(ClosedGuard)],
      });
      const service = await startTestService({
        collections: [books, guarded],
        modules: [MailModule],
        settings: { DATABASE_URL, ADMIN_API_KEY: 'k'.repeat(32) },
        override: (builder) =>
          builder
            .overrideProvider(Mailer)
            .useValue({ name: () => 'fake' })
            .overrideGuard(ClosedGuard)
            .useValue({ canActivate: () => true })
            .overrideInterceptor(UpperCase)
            .useValue({ intercept: (_context: unknown, next: { handle: () => unknown }) => next.handle() }),
      });
      running = service;
      expect(await (await fetch(`${service.url}/mail`)).text()).toBe('fake');
      const admin = new HttpClient({ baseUrl: service.url, headers: [['X-API-Key', service.adminKey]] });
      const created = await admin.post('/notes', { title: 'Emma' });
      expect([created.status, created.header('etag')]).toEqual([201, expect.any(String)]);
      expect((await admin.get(created.header('location') ?? '')).json()).toMatchObject({ title: 'Emma' });
      expect((await admin.get('/notes/none')).status).toBe(404);
    });
  },
);

describe('@Body() of an own controller', () => {
  @Controller('counts')
  class CountsController {
    @Post()
    @Public()
    count(@Body() { count }: CountDto): unknown {
      return { count };
    }

    @Get()
    @Public()
    list(@Query() query: CountDto): unknown {
      return query;
    }
  }
  const pipe = { provide: APP_PIPE, useValue: new ValidationPipe() };
  const moduleOf = (controller: Type, providers: object[] = []): Type => {
    @Module({ controllers: [controller], providers: providers as never })
    class CountsModule {}
    return CountsModule;
  };
  /** Removes the type metadata from the controller, like TypeScript without `emitDecoratorMetadata`. */
  const withoutTypes = (...names: string[]): Type => {
    for (const name of names) Reflect.deleteMetadata('design:paramtypes', CountsController.prototype, name);
    return CountsController;
  };

  it('is validated by a global ValidationPipe', async () => {
    const { url } = await start({ modules: [moduleOf(CountsController, [pipe])] });
    const post = (body: object): Promise<Response> =>
      fetch(`${url}/counts`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    expect([(await post({ count: 2 })).status, (await post({ count: 'two' })).status]).toEqual([201, 400]);
  });

  it('stops the start without emitted types, and so does @Query() below a pipe', async () => {
    withoutTypes('list');
    expect(await refusal({ modules: [moduleOf(CountsController, [pipe])] })).toMatch(
      /CountsController\.list\(\) has a @Query\(\) whose/,
    );
    await (await start({ modules: [moduleOf(CountsController)] })).stop();
    withoutTypes('count');
    expect(await refusal({ modules: [moduleOf(CountsController)] })).toMatch(
      /^StartRefusedError: CountsController\.count\(\) has a @Body\(\) whose class Nest does not know, .* set emitDecoratorMetadata in tsconfig\.json, or use @JsonBody\(Dto\)\.$/,
    );
  });
});

describe('A collection with guards among its decorators and with events', () => {
  const guarded = (eventsUnguarded: boolean): unknown =>
    collection({
      name: 'books',
      singular: 'book',
      input: BookInput,
      events: true,
      decorators: [UseGuards(ClosedGuard)],
      eventsUnguarded,
    });

  it('stops the start unless it has eventsUnguarded', async () => {
    expect(await refusal({ collections: [guarded(false) as typeof books] })).toMatch(
      /^StartRefusedError: The collection "books" has guards among its decorators, .* eventsUnguarded: true\.$/,
    );
    const { admin } = await start({ collections: [guarded(true) as typeof books] });
    expect((await admin.get('/books')).status).toBe(403);
  });
});
