import { NotOwnerError, ScopeEscalationError } from '@items/errors';

import type { CollectionNotes } from '../openapi/description/collection-notes.js';
import { LAST_ADMIN } from './last-admin.js';
import { USERNAME_TAKEN } from './users.service.js';

/** What the documentation says of users beyond what it says of every collection. */
export const userNotes: CollectionNotes = {
  errors: [new NotOwnerError()],
  writeErrors: [new ScopeEscalationError(['items:write']), USERNAME_TAKEN],
  changeErrors: [LAST_ADMIN],
};
