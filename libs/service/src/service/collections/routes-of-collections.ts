import type { Scope } from '@items/dtos/contract';
import type { CollectionDefinition, HasId } from '../../data/definition/collection.js';
import { referrersOf, type ReferenceTarget } from '../../data/definition/references.js';
import { collectionRoutes } from '../../http/nest/collection-routes.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { Global, Module, Inject, Injectable, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import type { RouteShorthandOptions, FastifyRequest } from 'fastify';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import { Owners, OwnersModule } from '../../access/auth/owners.js';
import type {} from '../../access/auth/route-access.js';
import { requireSoundNames } from '../composition/collection-names.js';
import { requireSoundKeys, requireSoundReferences } from '../composition/sound-collections.js';
import type { CollectionModule, Composition, Migration } from '../composition/composition.js';
import type { CollectionFeature } from './collection-features.js';
import { requireNestedSettable } from './checked-options.js';
import { tableMigration } from './table-migration.js';
import { teamMigration } from './team-migration.js';
import type { CollectionService } from '../../data/collections/collection-service.js';
import type { ParentKeys } from '../../data/definition/parent-keys.js';
import type { ParentOfRequest } from '../../http/nest/collection-pipeline.js';
import { collectionToken } from '../../http/nest/collection-token.js';

type Made = CollectionDefinition<HasId, object>;

export function servedCollections(
  features: readonly CollectionFeature[],
  migrations: readonly Migration[],
): Required<Pick<Composition, 'modules' | 'migrations'>> {
  const all = features.map(({ collection }) => collection as Made);
  requireSoundNames(all);
  all.forEach(requireSoundKeys);
  requireSoundReferences(all);
  all.forEach(requireNestedSettable);
  const names = all.map(({ name }) => name);
  const included = migrations.map(({ name }) => name);
  return {
    modules: features.map((feature) => moduleOf(feature, all, included)),
    migrations: migrations.map((migration) => teamMigration(migration, names)),
  };
}

/** @param included migrations whose changes a new table already has. */
function moduleOf(
  { collection: defined, migrations, others = [], importRules }: CollectionFeature,
  all: readonly Made[],
  included: readonly string[],
): CollectionModule {
  const collection = defined as Made;
  const { parent } = collection;
  const name = pathOf(collection);
  const target = collection.references?.find(({ isParent }) => isParent)?.target();
  const parents = target && parentOfPath(target, String(parent));
  const isOwned = parent !== undefined && target === undefined;
  const above = isOwned ? 'users' : target && pathOf(target);
  const referrers = referrersOf(collection, all);
  const optionsOf = (rule: string): RouteShorthandOptions => ({
    config: {
      access: { rule: rule as Scope, counted: 'by-hook', ...(isOwned && { allowedCallers: { owner: 'user_id' } }) },
    },
  });
  const routes = collectionRoutes(collection, {
    path: above === undefined ? name : `${above}/:${String(parent)}/${name}`,
    referrers,
    ...(parent !== undefined && { parent: parents ?? Owners }),
    read: optionsOf(`${name}:read`),
    write: optionsOf(`${name}:write`),
  });
  requireGuardedEvents(collection, routes);
  const services = [
    ConventionsModule.forFeature(collection, referrers),
    ...others.map((other) => ConventionsModule.forFeature(other as unknown as Made)),
  ];
  const shared = isOwned ? [OwnersModule, ...services] : services;
  // Must be global: modules of the app inject the collection, but cannot import this class.
  @Global()
  @Module({
    imports: shared,
    exports: shared,
    providers: [routes, ...(parents === undefined ? [] : [parents])],
  })
  class OwnModule {
    static readonly collection = collection;
    static readonly migrations = migrations ?? [tableMigration(collection, included)];
    static readonly others = others;
    static readonly importRules = importRules;
  }
  return OwnModule;
}

function pathOf({ name }: Pick<Made, 'name'>): string {
  return name.replaceAll('_', '-');
}

/** @throws {StartRefusedError} events would show members to callers whom guards of the routes refuse. */
function requireGuardedEvents({ name, events, eventsUnguarded }: Made, routes: object): void {
  if (events === undefined || eventsUnguarded === true || !Reflect.hasMetadata(GUARDS_METADATA, routes)) return;
  throw new StartRefusedError(
    `The collection "${name}" has guards among its decorators, which do not protect its events: remove events, or add eventsUnguarded: true.`,
  );
}

function parentOfPath(parent: ReferenceTarget, column: string): Type<ParentOfRequest> {
  @Injectable()
  class ParentOfPath implements ParentOfRequest {
    constructor(@Inject(collectionToken(parent)) private readonly parents: CollectionService<HasId, object>) {}

    async keysOf(request: FastifyRequest): Promise<ParentKeys> {
      const id = String((request.params as Readonly<Record<string, unknown>>)[column]);
      await this.parents.get(id, undefined, () => request.callerId);
      return { [column]: id };
    }

    keysForNew(request: FastifyRequest): Promise<ParentKeys> {
      return this.keysOf(request);
    }
  }
  return ParentOfPath;
}
