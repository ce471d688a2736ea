import type { EdgeHooks } from '@items/http';
import { Database } from '@items/store';
import { Inject, Module, Optional, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, DiscoveryService } from '@nestjs/core';

import { emptyParameterOf, guardsWrites } from './handler-metadata.js';

/**
 * Under it the root module of an application exports what it has to say of requests before a route does; it may export
 * nothing. What is provided and not exported stops the start.
 * @example @Module({ providers: [Visits, { provide: EDGE_HOOKS, useExisting: Visits }], exports: [EDGE_HOOKS] })
 */
export const EDGE_HOOKS = Symbol('EDGE_HOOKS');

const KNOWS_CALLERS = Symbol('KNOWS_CALLERS');

const UNREACHABLE_HOOKS =
  'EDGE_HOOKS are provided, and the root module does not export them: they would never be called. Write ' +
  'exports: [EDGE_HOOKS] into the root module, and into the module that provides them where that is another one.';

const UNKNOWN_CALLERS =
  'The application has guards, and createApp() is not told who makes a request: callers who send the same ' +
  "Idempotency-Key would get each other's answers. Give it callerIdOf: (request) => …, or callerIdOf: 'everybody' " +
  'where all callers are to share their keys.';

const VERSIONED_ROUTES =
  'enableVersioning() does nothing in an application of createApp(): a version belongs to the service, not to a route.';

/** An application as it is served. What would go wrong in silence stops its start. */
@Module({ imports: [DiscoveryModule] })
export class ServedModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
    @Inject(KNOWS_CALLERS) private readonly knowsCallers: boolean,
    @Optional() @Inject(EDGE_HOOKS) readonly edgeHooks?: EdgeHooks,
    @Optional() @Inject(Database) readonly database?: Database,
  ) {}

  /**
   * @param root the application's own module.
   * @param knowsCallers whether the application has said whose an `Idempotency-Key` is.
   */
  static forRoot(root: Type | DynamicModule, knowsCallers: boolean): DynamicModule {
    return {
      module: ServedModule,
      imports: [root],
      providers: [{ provide: KNOWS_CALLERS, useValue: knowsCallers }],
    };
  }

  /** Not earlier: guards may be added until the application listens. */
  onModuleInit(): void {
    const fault = this.fault();
    if (fault !== undefined) throw new Error(fault);
  }

  private fault(): string | undefined {
    if (!this.knowsCallers && this.hasGuards()) return UNKNOWN_CALLERS;
    if (this.hasUnreachableHooks()) return UNREACHABLE_HOOKS;
    if (this.config.getVersioning() !== undefined) return VERSIONED_ROUTES;
    return this.controllers()
      .map(emptyParameterOf)
      .find((fault) => fault !== undefined);
  }

  private hasGuards(): boolean {
    const everywhere = [...this.config.getGlobalGuards(), ...this.config.getGlobalRequestGuards()];
    return everywhere.length > 0 || this.controllers().some(guardsWrites);
  }

  private hasUnreachableHooks(): boolean {
    const provided = this.discovery.getProviders().filter(({ token }) => token === EDGE_HOOKS);
    return provided.some(({ instance }) => instance !== this.edgeHooks);
  }

  private controllers(): Type[] {
    return this.discovery.getControllers().map(({ metatype }) => metatype as Type);
  }
}
