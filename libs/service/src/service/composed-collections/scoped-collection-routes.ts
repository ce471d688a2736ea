import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import type { Referrer } from '../../data/definition/references.js';
import type { Scope } from '@items/dtos/contract';
import type { Type } from '@nestjs/common';
import type { ParentOfRequest } from '../../http/nest/collection-pipeline.js';
import { collectionRoutes, type CollectionRoutesClass } from '../../http/nest/collection-routes.js';

import type {} from '../../access/auth/route-access.js';

/** Path of a collection, and the scopes to read and write it. */
export interface CollectionAccess {
  /** Path from the root without a leading slash: `items`. */
  readonly path: string;
  readonly read: Scope;
  readonly write: Scope;
  /** Provider that finds the parent of a request, for a collection below another one. */
  readonly parent?: Type<ParentOfRequest>;
  /** Columns of other collections that prevent the deletion of a member. */
  readonly referrers?: readonly Referrer[];
}

/**
 * Makes the routes of SPEC §4 for a collection without code of its own. Scopes of this service protect them.
 * @example providers: [scopedCollectionRoutes(itemCollection, { path: 'items', … })]
 */
export function scopedCollectionRoutes<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write, parent, referrers = [] }: CollectionAccess,
): CollectionRoutesClass {
  return collectionRoutes(collection, {
    path,
    referrers,
    ...(parent && { parent }),
    read: { config: { access: { rule: read, counted: 'by-hook' } } },
    write: { config: { access: { rule: write, counted: 'by-hook' } } },
  });
}
