import type { Session } from '@items/contracts';

import type { CollectionDefinition, Own } from '../../collections/collection.js';
import type { CollectionService } from '../../collections/collection-service.js';
import { SessionEntity } from './session.entity.js';

/** The service of the collection of sessions. */
export type SessionsCollection = CollectionService<SessionEntity, Session, Own<SessionEntity>>;

/** What the collection of sessions says about itself. SPEC §5, decisions §4 */
export const sessionCollection: CollectionDefinition<SessionEntity, Session, Own<SessionEntity>> = {
  name: 'sessions',
  singular: 'session',
  entity: SessionEntity,
  sortable: ['created_at', 'last_used_at'],
  filters: {},
  counted: [['user_id']],
  present: (row) => ({
    id: row.id,
    user_id: row.user_id,
    scope: row.scope,
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    expires_at: new Date(row.expires_at).toISOString(),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: (own) => own,
};
