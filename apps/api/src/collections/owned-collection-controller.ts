import type { CollectionDefinition, Identified } from '@items/collections';
import { collectionController } from '@items/nest';
import { DescribesCollection } from '@items/openapi';
import type { Type } from '@nestjs/common';

import { OwnerOrAdmin } from '../auth/owner-or-admin.js';
import { Owners } from '../auth/owners.js';
import { RequireScope } from '../auth/require-scope.js';
import type { CollectionAccess } from './scoped-collection-controller.js';

/** A resource that belongs to a user. */
export interface OwnedResource extends Identified {
  readonly user_id: string;
}

/**
 * The same table for a collection below `/users/:user_id`: users have their own, administrators everybody's.
 * @example controllers: [ownedCollectionController(noteCollection, { path: 'users/:user_id/notes', … })]
 * @see SPEC §5.2
 */
export function ownedCollectionController<Resource extends OwnedResource, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write }: CollectionAccess,
): Type {
  return collectionController(collection, {
    path,
    parent: Owners,
    read: [RequireScope(read)],
    write: [RequireScope(write)],
    all: [OwnerOrAdmin('user_id'), DescribesCollection(collection)],
  });
}
