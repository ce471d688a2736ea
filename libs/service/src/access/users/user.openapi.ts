import { NotOwnerError, ResourceNotFoundError } from '@items/conventions';
import type { CollectionDescription } from '../../document/description/collection-description.js';
import { json, schemaRef } from '../../document/description/media-types.js';
import type { OperationDescription } from '../../document/description/operation.js';
import { DelegatedCredentialError, ScopeEscalationError } from '../errors/access-errors.js';
import { LAST_ADMIN } from './last-admin.js';
import { NO_PASSWORD, WRONG_PASSWORD } from './own-password.service.js';
import { IDENTITY_TAKEN, NoIdentityError } from './identity-users.service.js';
import { HAS_CHILDREN, USERNAME_TAKEN } from './users.service.js';

export const userDescription: CollectionDescription = {
  sometimes: {
    scopes: {
      type: 'array',
      maxItems: 4096,
      items: { type: 'string', maxLength: 128, examples: ['items:read'] },
      description: 'Only of `/users/me`: what the credential of the request may do.',
      examples: [['items:read']],
    },
  },
  replaces: 'If `password`, `role` or `disabled` is omitted, it is unchanged. Any other omitted field becomes null.',
  errors: [new NotOwnerError()],
  writeErrors: [new ScopeEscalationError(['items:write']), USERNAME_TAKEN],
  changeErrors: [LAST_ADMIN, new DelegatedCredentialError()],
  deleteErrors: [HAS_CHILDREN],
};

export const changePasswordOperation: OperationDescription = {
  tag: 'Users',
  id: 'changeOwnPassword',
  summary: 'Change your own password',
  description: "Ends the user's other sessions.",
  ending: 'done',
  errors: [new ResourceNotFoundError('user'), NO_PASSWORD, WRONG_PASSWORD],
};

export const linkOperation: OperationDescription = {
  tag: 'Users',
  id: 'linkIdentity',
  summary: 'Link a user to an identity',
  ending: 'plain',
  content: json(schemaRef('Identity'), { issuer: 'https://login.example.com', subject: '248289761001' }),
  errors: [
    new NotOwnerError(),
    new ScopeEscalationError(['items:write']),
    new ResourceNotFoundError('user'),
    IDENTITY_TAKEN,
  ],
};

export const unlinkOperation: OperationDescription = {
  tag: 'Users',
  id: 'unlinkIdentity',
  summary: 'Unlink a user',
  description: "Ends the user's logins in browsers.",
  ending: 'done',
  errors: [new NotOwnerError(), new ResourceNotFoundError('user'), new NoIdentityError()],
};
