import { NotOwnerError, ResourceNotFoundError, ScopeEscalationError } from '@items/errors';
import type { CollectionDescription, OperationDescription } from '@items/openapi';

import { LAST_ADMIN } from './last-admin.js';
import { WRONG_PASSWORD } from './own-password.service.js';
import { USERNAME_TAKEN } from './users.service.js';

/** What the documentation says of users beyond what it says of every collection. */
export const userDescription: CollectionDescription = {
  replaces: '`password`, `role` and `disabled` left out stay as they are; any other field left out becomes null.',
  errors: [new NotOwnerError()],
  writeErrors: [new ScopeEscalationError(['items:write']), USERNAME_TAKEN],
  changeErrors: [LAST_ADMIN],
};

export const changePasswordOperation: OperationDescription = {
  tag: 'Users',
  id: 'changeOwnPassword',
  summary: 'Change your own password',
  description: "Ends the user's other sessions.",
  ending: 'done',
  errors: [new ResourceNotFoundError('user'), WRONG_PASSWORD],
};
