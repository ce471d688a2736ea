import 'reflect-metadata';

import type { AddressInfo } from 'node:net';

import { Text } from '@items/dtos';
import { UnauthorizedError } from '@items/errors';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Module,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

import { loadConfig } from '../config/load-config.js';
import { configureApp, createAdapter } from '../configure-app.js';
import { logTo } from '../logging/log.js';
import { createEdge } from './edge.js';
import { JsonBody } from './json-body.js';
import type { STOP_TIMES } from './shutdown.js';

class ThingDto {
  @Text({ min: 1, max: 200, trim: true })
  name!: string;
}

/** Asks for a credential before anything is read, as the real one does. */
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers['x-api-key'] === undefined) throw new UnauthorizedError('No credential.', ['ApiKey']);
    return true;
  }
}

@Controller()
class ThingsController {
  @Get('things')
  list(): object {
    return { things: [] };
  }

  @Post('things')
  @UseGuards(KeyGuard)
  create(@JsonBody(ThingDto) thing: ThingDto): object {
    return { name: thing.name };
  }

  @Get('things/:id')
  get(@Param('id') id: string): object {
    return { id };
  }

  @Get('slow')
  async slow(): Promise<object> {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return {};
  }

  @Get('broken')
  broken(): never {
    throw new Error('a secret of the service');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

/** A small application behind the real front door, on a free port, without a database. */
export class TestApp {
  readonly lines: string[] = [];
  /** URLs that were counted because no route took them. */
  readonly counted: string[] = [];
  private app!: NestFastifyApplication;
  private stopServing!: ReturnType<typeof configureApp>;

  static async start(env: NodeJS.ProcessEnv = {}): Promise<TestApp> {
    const test = new TestApp();
    const config = loadConfig(env);
    const log = logTo({ write: (line) => test.lines.push(line) });
    const edge = createEdge(config, log);
    test.app = await NestFactory.create<NestFastifyApplication>(ThingsModule, createAdapter(config, edge), {
      bodyParser: false,
      logger: false,
    });
    test.stopServing = configureApp(test.app, edge, log, {
      admit: (request, reply) => {
        test.counted.push(request.raw.url ?? '');
        reply.header('x-ratelimit-limit', 60);
        return Promise.resolve();
      },
      refusalFor: () => null,
    });
    await test.app.listen(0, '127.0.0.1');
    return test;
  }

  get port(): number {
    return (this.app.getHttpServer().address() as AddressInfo).port;
  }

  /** The lines of the log so far. */
  get log(): Record<string, unknown>[] {
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  stopGracefully(times: typeof STOP_TIMES): Promise<void> {
    return this.stopServing(times);
  }

  async close(): Promise<void> {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
  }
}
