import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import { addFeature } from '../composed-collections/collection-features.js';
import type { CollectionParts } from '../composition/composition.js';
import type { NamedCollection, ServiceOptions } from './service-options.js';

const options = new WeakMap<object, ServiceOptions>();

/**
 * Turns the root module of an app into a service, and adds the collections of its modules. Start it with `startService()`.
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
