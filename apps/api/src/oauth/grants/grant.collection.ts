import type { Grant, Scope } from '@items/contracts';

import type { CollectionDefinition, Own } from '../../collections/collection.js';
import type { CollectionService } from '../../collections/collection-service.js';
import { GrantEntity } from './grant.entity.js';

/** The service of the collection of approvals. */
export type GrantsCollection = CollectionService<GrantEntity, Grant, Own<GrantEntity>>;

/** What the collection of approvals says about itself. SPEC §5 */
export const grantCollection: CollectionDefinition<GrantEntity, Grant, Own<GrantEntity>> = {
  name: 'grants',
  singular: 'grant',
  entity: GrantEntity,
  sortable: ['created_at'],
  filters: {},
  counted: [['user_id']],
  present: (row) => ({
    id: row.id,
    user_id: row.user_id,
    client_id: row.client_id,
    client_name: row.client_name,
    scopes: JSON.parse(row.scopes) as Scope[],
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: (own) => own,
};
