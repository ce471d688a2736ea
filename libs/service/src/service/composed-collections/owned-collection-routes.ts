import type { CollectionDefinition, Identified } from '../../data/definition/collection.js';
import { collectionRoutes, type CollectionRoutesClass } from '../../http/nest/collection-routes.js';

import { Owners } from '../../access/auth/owners.js';
import type {} from '../../access/auth/route-access.js';
import type { CollectionAccess } from './scoped-collection-routes.js';

export interface OwnedResource extends Identified {
  readonly user_id: string;
}

const reachedBy = { owner: 'user_id' };

/**
 * Makes the routes of a collection below `/users/:user_id`. Users reach their own members, administrators all members.
 * @example providers: [ownedCollectionRoutes(noteCollection, { path: 'users/:user_id/notes', … })]
 * @see SPEC §5.2
 */
export function ownedCollectionRoutes<Resource extends OwnedResource, Input extends object, Hidden>(
  collection: CollectionDefinition<Resource, Input, Hidden>,
  { path, read, write, referrers = [] }: CollectionAccess,
): CollectionRoutesClass {
  return collectionRoutes(collection, {
    path,
    referrers,
    parent: Owners,
    read: { config: { access: { rule: read, counted: 'by-hook', reachedBy } } },
    write: { config: { access: { rule: write, counted: 'by-hook', reachedBy } } },
  });
}
