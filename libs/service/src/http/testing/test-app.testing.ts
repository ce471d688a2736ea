import 'reflect-metadata';

import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { Text } from '@items/fields';
import { UnauthorizedError } from '@items/conventions';
import type { ConnectionLimits, Connections } from '../connections/connections.js';
import type { EdgeHooks } from '../edge/request-hooks.js';
import type { StopTimes } from '../connections/shutdown.js';
import { errorLog } from '../../runtime/logging/error-log.js';
import { logTo } from '../../runtime/logging/log.js';
import { createApp, type ServedApp } from '../nest/create-app.js';
import { EDGE_HOOKS } from '../nest/served.module.js';
import { JsonBody } from '../nest/json-body.js';
import {
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  HttpCode,
  Module,
  Param,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

import { loadConfig } from '../../runtime/config/load-config.js';
import { withPrincipal } from '../../service/create-service.js';
import { serviceEdge } from '../../service/edge/service-edge.js';

const heldRequests: (() => void)[] = [];
const heldEvents = new EventEmitter();

/** More than an operating system buffers on a connection that is not read. */
const LARGE = 'x'.repeat(8 * 1024 * 1024);

class ThingDto {
  @Text({ min: 1, max: 200, trim: true })
  name!: string;
}

/** Requires a credential before anything is read, as the real access hook does. */
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

  @Get('held')
  async held(): Promise<object> {
    await new Promise<void>((answer) => {
      heldRequests.push(answer);
      heldEvents.emit('held');
    });
    return {};
  }

  @Get('health/live')
  live(): object {
    return {};
  }

  @Get('health/failing')
  @HttpCode(503)
  failing(): object {
    return {};
  }

  @Get('large')
  large(): string {
    return LARGE;
  }

  @Get('broken')
  broken(): never {
    throw new Error('a secret of the service');
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {
  static forRoot(hooks: EdgeHooks): DynamicModule {
    return { module: ThingsModule, providers: [{ provide: EDGE_HOOKS, useValue: hooks }], exports: [EDGE_HOOKS] };
  }
}

/** A small Nest application behind the real edge, on a free port, without a database. */
export class TestApp {
  readonly lines: string[] = [];
  /** URLs of requests without a route, which the hook has counted. */
  readonly counted: string[] = [];
  connections!: Connections;
  private served!: ServedApp;

  static async start(env: NodeJS.ProcessEnv = {}, limits?: ConnectionLimits): Promise<TestApp> {
    const test = new TestApp();
    const config = loadConfig(env);
    const log = logTo({ write: (line) => test.lines.push(line) }, config.logLevel);
    const edge = serviceEdge(config, log, { limits });
    test.connections = edge.connections;
    const edgeHooks: EdgeHooks = {
      admit: (request, reply) => {
        test.counted.push(request.raw.url ?? '');
        reply.header('x-ratelimit-limit', 60);
        return Promise.resolve();
      },
      refusalFor: () => null,
      admitUpgrade: () => Promise.resolve(),
    };
    test.served = await createApp(ThingsModule.forRoot(edgeHooks), {
      server: config,
      edge,
      callerIdOf: 'everybody',
      onError: errorLog(log),
      logger: false,
      prepare: withPrincipal,
    });
    await test.app.listen(0, '127.0.0.1');
    return test;
  }

  get held(): number {
    return heldRequests.length;
  }

  async holding(count: number): Promise<void> {
    while (heldRequests.length < count) await once(heldEvents, 'held');
  }

  release(): void {
    for (const answer of heldRequests.splice(0)) answer();
  }

  private get app(): NestFastifyApplication {
    return this.served.app;
  }

  get port(): number {
    return (this.app.getHttpServer().address() as AddressInfo).port;
  }

  get log(): Record<string, unknown>[] {
    return this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  stopGracefully(times: StopTimes): Promise<void> {
    return this.served.stop(times);
  }

  async close(): Promise<void> {
    this.release();
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
  }
}
