import type { CollectionDefinition, Identified } from '@items/collections';
import type { Scope } from '@items/contracts';
import { collectionController } from '@items/nest';
import { DescribesCollection } from '@items/openapi';
import type { Type } from '@nestjs/common';

import { RequireScope } from '../auth/require-scope.js';

/** Where a collection is found, and who may do what with it. */
export interface CollectionAccess {
  /** From the root, without a slash: `items`. */
  readonly path: string;
  readonly read: Scope;
  readonly write: Scope;
}

/**
 * The table of SPEC §4 for a collection that does nothing of its own in it, with this service's scopes and its
 * part of the documentation.
 * @example controllers: [scopedCollectionController(itemCollection, { path: 'items', … })]
 */
export function scopedCollectionController<Resource extends Identified, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write }: CollectionAccess,
): Type {
  return collectionController(collection, {
    path,
    read: [RequireScope(read)],
    write: [RequireScope(write)],
    all: [DescribesCollection(collection)],
  });
}
