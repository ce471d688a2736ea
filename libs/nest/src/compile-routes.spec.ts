import 'reflect-metadata';

import { JsonText } from '@items/conventions';
import {
  Controller,
  createParamDecorator,
  Get,
  Head,
  Header,
  HttpCode,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Req,
  StreamableFile,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { of } from 'rxjs';

import { createApp } from './create-app.js';

const said: string[] = [];

const Said = createParamDecorator((word: string, context: ExecutionContext) => {
  said.push(`${word} of ${context.getClass().name}.${context.getHandler().name}`);
  if (word === 'thrown') throw new Error('No.');
  return word === 'later' ? Promise.resolve(word) : word;
});

class OwnGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Controller('things')
class ThingsController {
  constructor() {
    this.name = 'things';
  }

  private readonly name: string;

  @Get('text')
  text(): JsonText {
    return new JsonText('{"of":"text"}');
  }

  @Get('later')
  async later(@Said('later') later: string, @Said('now') now: string): Promise<object> {
    return Promise.resolve({ later, now, name: this.name });
  }

  @Get('thrown')
  thrown(@Said('thrown') word: string): string {
    return word;
  }

  @Get('rejected')
  rejected(): Promise<never> {
    return Promise.reject(new Error('No.'));
  }

  @Get('observed')
  observed(): unknown {
    return of({ of: 'observable' });
  }

  @Get('observed-later')
  async observedLater(): Promise<unknown> {
    return Promise.resolve(of({ of: 'observable' }));
  }

  /** As the lazy query of another library, whose `then` returns nothing. */
  @Get('lazy')
  lazy(): unknown {
    return {
      then: (next: (value: object) => void) => {
        next({ of: 'lazy' });
      },
    };
  }

  @Get('both')
  both(): object {
    return { of: 'GET' };
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('of file'));
  }

  @Get('guarded')
  @UseGuards(OwnGuard)
  guarded(): string {
    return 'guarded';
  }

  @Get('numbers/:n')
  number(@Param('n', ParseIntPipe) n: number): object {
    return { n };
  }

  @Get('headed')
  @Header('x-of', 'Nest')
  headed(): object {
    return {};
  }

  @Get('asked')
  asked(@Req() request: FastifyRequest): object {
    return { method: request.method };
  }

  @Post()
  create(): JsonText {
    return new JsonText('{}');
  }

  @Post('quiet')
  @HttpCode(204)
  quiet(): void {
    said.push('quiet');
  }

  @Get(':id')
  get(@Param('id') id: string): JsonText {
    return new JsonText(JSON.stringify({ id }));
  }
}

/** Before the one of the next controller: Fastify wants the handlers of HEAD first. */
@Controller('things')
class HeadController {
  @Head('both')
  @HttpCode(202)
  both(): void {
    said.push('HEAD');
  }
}

@Controller('inner')
class InnerController {
  @Get()
  inner(): object {
    return { of: 'moved/inner' };
  }
}

@Controller()
class RootController {
  @Get()
  root(): object {
    return { of: 'inner' };
  }
}

@Module({ controllers: [InnerController] })
class MovedModule {}

@Module({ controllers: [RootController] })
class InnerModule {}

/** Says of each request whether Nest's own machinery ran: it asks guards in a promise, which ours does not. */
class FirstGuard implements CanActivate {
  answer: ReturnType<CanActivate['canActivate']> = true;

  canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    said.push(`guard of ${context.getHandler().name}`);
    return this.answer;
  }
}

@Module({
  imports: [
    MovedModule,
    InnerModule,
    RouterModule.register([
      { path: 'moved', module: MovedModule },
      { path: 'inner', module: InnerModule },
    ]),
  ],
  controllers: [HeadController, ThingsController],
})
class ThingsModule {}

describe('A compiled route', () => {
  const guard = new FirstGuard();
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    ({ app } = await createApp(ThingsModule, { logger: false, callerIdOf: 'everybody' }));
    // Past Nest, and before the guards are there.
    app
      .getHttpAdapter()
      .getInstance()
      .get('/raw', () => 'raw');
    app.useGlobalGuards(guard);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  beforeEach(() => {
    said.length = 0;
    guard.answer = true;
  });
  afterAll(() => app.close());

  async function asked(path: string, method = 'GET'): Promise<[number, string | null, string]> {
    const answer = await fetch(`${url}/things${path}`, { method });
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  }

  const json = 'application/json; charset=utf-8';

  it.each([
    ['/text', 200, '{"of":"text"}'],
    ['/later', 200, '{"later":"later","now":"now","name":"things"}'],
    ['/observed', 200, '{"of":"observable"}'],
    ['/observed-later', 200, '{"of":"observable"}'],
    ['/lazy', 200, '{"of":"lazy"}'],
    ['/an%20id', 200, '{"id":"an id"}'],
    ['/numbers/7', 200, '{"n":7}'],
    ['/asked', 200, '{"method":"GET"}'],
    ['/headed', 200, '{}'],
  ])('GET %s answers as Nest would', async (path, status, body) => {
    expect(await asked(path)).toEqual([status, json, body]);
  });

  it('answers with the status of its method, or the one that is said', async () => {
    expect(await asked('', 'POST')).toEqual([201, json, '{}']);
    expect(await asked('/quiet', 'POST')).toEqual([204, null, '']);
    expect(said).toContain('quiet');
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await fetch(`${url}/things/text`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '13', '']);
  });

  it('takes HEAD by the handler that says so', async () => {
    const answer = await fetch(`${url}/things/both`, { method: 'HEAD' });
    expect([answer.status, said]).toEqual([202, ['guard of both', 'HEAD']]);
  });

  it('is none where a parameter is empty', async () => {
    expect(await asked('/')).toMatchObject([404, json, expect.stringContaining('"route_not_found"')]);
    expect(said).toEqual([]);
  });

  it.each(['moved/inner', 'inner'])('is not taken for that of a module with a path: GET /%s', async (path) => {
    expect(await (await fetch(`${url}/${path}`)).json()).toEqual({ of: path });
  });

  it('is answered where the filter itself fails, now or later', async () => {
    const { app } = await createApp(ThingsModule, {
      logger: false,
      onError: () => {
        throw new Error('The log is full.');
      },
    });
    await app.listen(0, '127.0.0.1');
    const statuses = await Promise.all(
      ['thrown', 'rejected'].map(async (path) => (await fetch(`${await app.getUrl()}/things/${path}`)).status),
    );
    expect(statuses).toEqual([500, 500]);
    await app.close();
  });

  it('sends what is no JSON', async () => {
    expect(await asked('/file')).toEqual([200, 'application/octet-stream', 'of file']);
  });

  it('asks the guards of the application first, then its parameters in their order', async () => {
    await asked('/later');
    expect(said).toEqual(['guard of later', 'later of ThingsController.later', 'now of ThingsController.later']);
  });

  it.each([
    ['at once', false],
    ['later', Promise.resolve(false)],
    ['by an observable', of(false)],
    ['in the end, by an observable', of(true, false)],
    [
      'by something with a then',
      {
        then: (next: (value: boolean) => void) => {
          next(false);
        },
      } as unknown as Promise<boolean>,
    ],
  ])('is 403 where a guard says no %s, and nothing else is asked', async (_, answer) => {
    guard.answer = answer;
    expect(await asked('/later')).toMatchObject([403, json, expect.stringContaining('"forbidden"')]);
    expect(said).toEqual(['guard of later']);
  });

  it.each(['/thrown', '/rejected'])('GET %s is answered by the filter of the application', async (path) => {
    expect(await asked(path)).toMatchObject([500, json, expect.stringContaining('internal_error')]);
  });

  it('leaves what has a guard, a pipe or a header of its own to Nest', async () => {
    expect((await asked('/guarded'))[0]).toBe(403);
    expect((await asked('/numbers/seven'))[0]).toBe(400);
    expect((await fetch(`${url}/things/headed`)).headers.get('x-of')).toBe('Nest');
  });
});

describe('What the adapter of Nest would do by hooks of its own', () => {
  it.each(['enableCors', 'registerSecurityHook', 'setOnRequestHook', 'setOnResponseHook'] as const)(
    'is refused, as %s() is',
    async (method) => {
      const { app } = await createApp(ThingsModule, { logger: false });
      const adapter = app.getHttpAdapter() as unknown as Record<string, () => void>;
      expect(() => adapter[method]?.()).toThrow(`${method}() does nothing in an application of createApp().`);
      await app.close();
    },
  );

  it('is refused, as the protection against forged requests is', async () => {
    const { app } = await createApp(ThingsModule, { logger: false });
    expect(() => {
      app.enableCsrfProtection();
    }).toThrow('registerSecurityHook() does nothing in an application of createApp().');
    await app.close();
  });

  it('is refused at the start, as versions of routes are', async () => {
    const { app } = await createApp(ThingsModule, { logger: false });
    app.enableVersioning();
    await expect(app.init()).rejects.toThrow('a version belongs to the service, not to a route');
    await app.close();
  });
});
