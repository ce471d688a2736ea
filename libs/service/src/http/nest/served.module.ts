import type { EdgeHooks } from '../edge/request-hooks.js';
import { Database } from '../../data/database/database.js';
import { ReadReplicas } from '../../data/replicas/read-replicas.js';
import { Inject, Module, Optional, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, DiscoveryService, HttpAdapterHost } from '@nestjs/core';

import type { EdgeAdapter } from './edge-adapter.js';
import { bodyOf } from './json-body.js';
import { bodyConfig } from './reads-body.js';
import { configureRoutes } from './route-config.js';

/**
 * Under it the root module of an application exports what it has to say of requests before a route does; it may export
 * nothing. What is provided and not exported stops the start.
 * @example @Module({ providers: [Visits, { provide: EDGE_HOOKS, useExisting: Visits }], exports: [EDGE_HOOKS] })
 */
export const EDGE_HOOKS = Symbol('EDGE_HOOKS');

const UNREACHABLE_HOOKS =
  'EDGE_HOOKS are provided, and the root module does not export them: they would never be called. Write ' +
  'exports: [EDGE_HOOKS] into the root module, and into the module that provides them where that is another one.';

const VERSIONED_ROUTES =
  'enableVersioning() does nothing in an application of createApp(): a version belongs to the service, not to a route.';

/** An application as it is served. What would go wrong in silence stops its start. */
@Module({ imports: [DiscoveryModule] })
export class ServedModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost<EdgeAdapter>,
    @Optional() @Inject(EDGE_HOOKS) readonly edgeHooks?: EdgeHooks,
    @Optional() @Inject(Database) readonly database?: Database,
    @Optional() @Inject(ReadReplicas) readonly replicas?: ReadReplicas | null,
  ) {
    configureRoutes(discovery, (controller, method) => bodyConfig(controller, method, bodyOf(method)?.maxBytes));
  }

  /** @param root the application's own module. */
  static forRoot(root: Type | DynamicModule): DynamicModule {
    return { module: ServedModule, imports: [root] };
  }

  /** Not earlier: middleware may be added until the application listens. */
  async onModuleInit(): Promise<void> {
    const fault = this.fault();
    if (fault !== undefined) throw new Error(fault);
    await this.host.httpAdapter.addMiddleware();
  }

  private fault(): string | undefined {
    if (this.hasUnreachableHooks()) return UNREACHABLE_HOOKS;
    return this.config.getVersioning() === undefined ? undefined : VERSIONED_ROUTES;
  }

  private hasUnreachableHooks(): boolean {
    const provided = this.discovery.getProviders().filter(({ token }) => token === EDGE_HOOKS);
    return provided.some(({ instance }) => instance !== this.edgeHooks);
  }
}
