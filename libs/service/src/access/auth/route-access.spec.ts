import { Controller, Get, Injectable, Post, Req, type ModuleMetadata, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { startGuardedApp, type GuardedApp } from './guarded-app.testing.js';
import { AdminOnly, Public, RequireScope } from './decorators.js';
import type {} from './route-access.js';

const ADMIN = 'a'.repeat(32);

/** Creates a provider that adds a route to Fastify, without Nest, as a plugin does. */
function adding(route: RouteOptions): Type {
  @Injectable()
  class Adding {
    constructor(host: HttpAdapterHost) {
      this.instance = () => host.httpAdapter.getInstance<FastifyInstance>();
    }
    private readonly instance: () => FastifyInstance;
    onModuleInit(): void {
      this.instance().route(route);
    }
  }
  return Adding;
}

const plain = (config?: RouteOptions['config']): RouteOptions => ({
  method: 'GET',
  url: '/plain',
  handler: () => 'plain',
  ...(config && { config }),
});

describeOnBothDatabases('The access rule of a route', (under) => {
  const opened: GuardedApp[] = [];
  const start = async (parts: ModuleMetadata): Promise<GuardedApp> => {
    const guarded = await startGuardedApp(under.database, {}, parts);
    opened.push(guarded);
    return guarded;
  };
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  class Probes {
    @Get()
    @RequireScope('items:read')
    probe(): string {
      return 'probe';
    }
  }

  it('is required: a handler without one stops the start with an error that names its route', async () => {
    @Controller('probes')
    class ForgottenController {
      @Get(':id')
      forgotten(): void {}
    }
    await expect(start({ controllers: [ForgottenController] })).rejects.toThrow(
      /^ForgottenController\.forgotten\(\) \(GET \/probes\/:id\) declares no access rule/,
    );
  });

  it('is exactly one: a handler with two stops the start', async () => {
    @Controller('probes')
    class TwofoldController {
      @Post()
      @Public()
      @RequireScope('items:write')
      twofold(): void {}
    }
    await expect(start({ controllers: [TwofoldController] })).rejects.toThrow(
      'TwofoldController.twofold() declares two access rules',
    );
  });

  it('must be the same for all controllers that inherit a handler', async () => {
    class OpenController extends Probes {}
    Controller('open')(OpenController);
    class ClosedController extends Probes {}
    Controller('closed')(ClosedController);
    AdminOnly()(ClosedController);
    await expect(start({ controllers: [OpenController, ClosedController] })).rejects.toThrow(
      'ClosedController.probe() is inherited by controllers that give it different access.',
    );
  });

  it('is also required of Fastify routes: one without a rule stops the start, and one with a rule is checked', async () => {
    await expect(start({ providers: [adding(plain())] })).rejects.toThrow(/^GET \/plain declares no access rule/);
    const access = { rule: 'items:read', counted: 'by-hook' } as const;
    const { client } = await start({ providers: [adding(plain({ access }))] });
    expect((await client().get('/plain')).status).toBe(401);
    const answer = await client().get('/plain', ['X-API-Key', ADMIN]);
    expect([answer.status, answer.text]).toEqual([200, 'plain']);
    expect(answer.header('X-RateLimit-Limit')).toBe('600');
  });

  it('can be combined with @RouteConfig()', async () => {
    @Controller('configured')
    class ConfiguredController {
      @Get()
      @RouteConfig({ of: 'mine' })
      @Public()
      show(@Req() { routeOptions }: FastifyRequest): unknown {
        return routeOptions.config;
      }
    }
    const { client } = await start({ controllers: [ConfiguredController] });
    expect((await client().get('/configured')).json()).toMatchObject({ of: 'mine', access: { rule: 'public' } });
  });
});
