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
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { ErrorFilter } from './error-filter.js';

/** A response of Express, or Fastify's reply. */
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

  @Put(':id')
  replace(): string {
    return 'replaced';
  }
}

@Module({ controllers: [CatsController] })
class CatsModule {}

const ADAPTERS = { express: () => new ExpressAdapter(), fastify: () => new FastifyAdapter() };

/** The platforms that Nest brings. */
export const PLATFORMS = Object.keys(ADAPTERS) as readonly (keyof typeof ADAPTERS)[];

/** An app as others write them, with the filter and nothing else of ours, on a free port. */
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
