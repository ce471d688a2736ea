import { HttpAdapterHost } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';

import type { CreateApplication } from '../../http/nest/create-app.js';

/** Creates a Nest application whose providers, guards or interceptors a test replaces. */
export function createOverridden(override: (builder: TestingModuleBuilder) => unknown): CreateApplication {
  return async (root, adapter, options) => {
    const builder = Test.createTestingModule({ imports: [root] });
    if (typeof options.logger === 'object' && !Array.isArray(options.logger)) builder.setLogger(options.logger);
    // Provide the adapter now: a testing module has none before the Nest application is created.
    const host = new HttpAdapterHost();
    host.httpAdapter = adapter;
    builder.overrideProvider(HttpAdapterHost).useValue(host);
    override(builder);
    const module = await builder.compile();
    return module.createNestApplication<NestFastifyApplication>(adapter, options);
  };
}
