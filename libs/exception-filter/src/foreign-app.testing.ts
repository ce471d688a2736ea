import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Header,
  HttpException,
  type INestApplication,
  type LoggerService,
  Module,
  Param,
  Post,
  Put,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { ErrorFilter } from './error-filter.js';

function* brokenPieces(): Generator<Buffer> {
  yield Buffer.alloc(100_000);
  throw new Error('secret');
}

interface Streaming {
  readonly raw?: Streaming;
  write(chunk: string): void;
}

@Controller('cats')
class CatsController {
  @Get()
  list(): string[] {
    return [];
  }

  @Post()
  create(@Body() cat: unknown): unknown {
    return cat;
  }

  @Get('failing/:how')
  @Header('ETag', '"1"')
  fail(@Param('how') how: string): never {
    if (how === 'forbidden') throw new ForbiddenException('This cat is not yours.');
    if (how === 'teapot') throw new HttpException({ message: 'Short and stout.', code: 'kettle_only' }, 418);
    if (how === 'invalid') throw new HttpException({ message: ['name must be a string', 'Be nice'] }, 400);
    throw new Error('secret');
  }

  @Get('failing-with/id')
  @Header('X-Request-Id', '1')
  failTraced(): never {
    throw new Error('secret');
  }

  @Get('half')
  half(@Res() response: Streaming): never {
    (response.raw ?? response).write('{"half":');
    throw new Error('secret');
  }

  @Get('pictures/:how')
  @Header('ETag', '"1"')
  async picture(@Param('how') how: string): Promise<StreamableFile> {
    if (how === 'half') return new StreamableFile(Readable.from(brokenPieces()));
    const file = createReadStream('/does/not/exist/secret');
    // The stream may fail before Nest reads it.
    if (how === 'early') await once(file, 'error').catch(() => undefined);
    const streamed = new StreamableFile(file, { type: 'image/png', length: 5 });
    if (how !== 'own') return streamed;
    return streamed.setErrorHandler((_error, response) => {
      response.statusCode = 410;
      response.send('Gone');
    });
  }

  @Put(':id')
  replace(): string {
    return 'replaced';
  }
}

@Module({ controllers: [CatsController] })
class CatsModule {}

const ADAPTERS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };

export const PLATFORMS = Object.keys(ADAPTERS) as readonly (keyof typeof ADAPTERS)[];

/** Starts a plain Nest app with the filter, but no other code of this project, on a free port. */
export async function startForeignApp(
  platform: keyof typeof ADAPTERS,
  error: LoggerService['error'],
): Promise<{ readonly app: INestApplication; readonly url: string }> {
  const silent = (): void => undefined;
  const logger = { log: silent, warn: silent, error };
  const app = await NestFactory.create(CatsModule, ADAPTERS[platform](), { logger });
  app.useGlobalFilters(new ErrorFilter(app));
  await app.listen(0, '127.0.0.1');
  return { app, url: (await app.getUrl()).replace('[::1]', '127.0.0.1') };
}
