import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import type { Scope } from '@items/dtos/contract';
import { collectionRoutes, type CollectionRoutesClass } from '../../http/nest/collection-routes.js';

import type {} from '../../access/auth/route-access.js';

/** Path of a collection, and the scopes to read and write it. */
export interface CollectionAccess {
  /** Path from the root without a leading slash: `items`. */
  readonly path: string;
  readonly read: Scope;
  readonly write: Scope;
}

/**
 * Makes the routes of SPEC §4 for a collection without code of its own. Scopes of this service protect them.
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
