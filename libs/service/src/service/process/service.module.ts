import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import { addFeature } from '../collections/collection-features.js';
import type { CollectionParts, NamedCollection, RunningService, ServiceOptions } from '../composition/composition.js';

const options = new WeakMap<object, ServiceOptions>();

/**
 * Turns the root module of an app into a service, and adds collections to modules. Start it with `startService()`.
 * @example
 * @Module({ imports: [ServiceModule.forFeature(books)], controllers: [ReportsController] })
 * export class BooksModule {}
 * @Module({ imports: [ServiceModule.forRoot({}), BooksModule] })
 * export class AppModule {}
 */
@Module({})
export class ServiceModule {
  static forRoot(service: ServiceOptions): DynamicModule {
    const module = { module: ServiceModule };
    options.set(module, service);
    return module;
  }

  /** Every module can inject the collection with `@InjectCollection()`. */
  static forFeature(collection: NamedCollection, parts: CollectionParts = {}): DynamicModule {
    const module = { module: ServiceModule };
    addFeature(module, { collection, ...parts });
    return module;
  }
}

/** @throws {StartRefusedError} the root module does not import `ServiceModule.forRoot()` exactly once. */
export function rootOptionsOf(root: Type): ServiceOptions {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, root) ?? []) as readonly object[];
  const [service, second] = imports.flatMap((module) => options.get(module) ?? []);
  if (service === undefined || second !== undefined) {
    throw new StartRefusedError(
      `${root.name} needs ServiceModule.forRoot() among its imports exactly once: add it, or remove the others.`,
    );
  }
  return { ...service, modules: [...(service.modules ?? []), root] };
}

/**
 * Starts a service with your collections.
 * @example
 * const { url, stop } = await startService({ collections: [books] });
 * @example
 * await startService(AppModule);
 * @param service options, or a root module that imports `ServiceModule.forRoot()`.
 * @param changes override the options of the root module, such as its settings in a test.
 * @throws {ConfigError} a setting is wrong, or the service cannot listen on a port.
 * @throws {StartRefusedError} the service cannot start as written. An uncaught error ends the process with status 1 and
 * one sentence without a stack.
 */
export async function startService(
  service: ServiceOptions | Type,
  changes: ServiceOptions = {},
): Promise<RunningService> {
  // Importing `collection()` must not cost the memory of the service, so load the service here.
  const { startComposed } = await import('./start-composed.js');
  return startComposed({ ...(typeof service === 'function' ? rootOptionsOf(service) : service), ...changes });
}
