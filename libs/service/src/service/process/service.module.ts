import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { CollectionModule } from '../composition/composition.js';
import type { ServiceOptions } from './service-options.js';

const options = new WeakMap<object, ServiceOptions>();

/**
 * Turns the root module of an app into a service. Start it with `startService()`.
 * @example
 * @Module({ imports: [ServiceModule.forRoot({ collections: [books] }), ReportsModule] })
 * export class AppModule {}
 */
@Module({})
export class ServiceModule {
  static forRoot(service: ServiceOptions): DynamicModule {
    const module = { module: ServiceModule };
    options.set(module, service);
    return module;
  }
}

/** Options of a service, with the modules of the root module that have a collection. */
export interface RootOptions extends ServiceOptions {
  readonly collectionModules: readonly CollectionModule[];
}

/**
 * Reads the options from the root module of an app.
 * @throws {StartRefusedError} it does not import `ServiceModule.forRoot()` exactly once.
 */
export function rootOptionsOf(root: Type): RootOptions {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, root) ?? []) as readonly object[];
  const [service, second] = imports.flatMap((module) => options.get(module) ?? []);
  if (service === undefined || second !== undefined) {
    throw new StartRefusedError(
      `${root.name} needs ServiceModule.forRoot() among its imports exactly once: add it, or remove the others.`,
    );
  }
  const collectionModules = imports.filter(isCollectionModule);
  return { ...service, collectionModules, modules: [...(service.modules ?? []), root] };
}

function isCollectionModule(module: object): module is CollectionModule {
  return 'collection' in module && 'migrations' in module;
}
