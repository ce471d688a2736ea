import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import type { Scope } from '@items/dtos/contract';
import { collectionRoutes, type CollectionRoutesClass } from '../../http/nest/collection-routes.js';

import type {} from '../../access/auth/route-access.js';

/** Where a collection is found, and who may do what with it. */
export interface CollectionAccess {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  readonly read: Scope;
  readonly write: Scope;
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it, with this service's scopes.
 * @example providers: [scopedCollectionRoutes(itemCollection, { path: 'items', … })]
 */
export function scopedCollectionRoutes<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write }: CollectionAccess,
): CollectionRoutesClass {
  return collectionRoutes(collection, {
    path,
    read: { config: { access: { rule: read, counted: 'by-hook' } } },
    write: { config: { access: { rule: write, counted: 'by-hook' } } },
  });
}
