import { ResourceNotFoundError } from '@items/conventions';
import { listContent } from '../../../document/description/list-content.js';
import type { OperationDescription } from '../../../document/description/operation.js';
import { resourceSchema } from '../../../document/description/resource-schemas.js';
import { NarrowedLoginError } from '../../errors/access-errors.js';
import { grantCollection, GrantDto } from '../authorizations/grant.collection.js';

const GRANT = resourceSchema(GrantDto);

const shared = { tag: 'Grants', resource: 'grant', errors: [new ResourceNotFoundError('user')] } as const;

export const listGrantsOperation: OperationDescription = {
  ...shared,
  id: 'listGrants',
  summary: 'List the applications that a user has approved',
  description: 'One entry for each client. A token of a client lists the approval of that client alone.',
  ending: 'list',
  list: grantCollection,
  ...listContent('grants', 'Grant', GRANT),
};

export const removeGrantOperation: OperationDescription = {
  ...shared,
  id: 'deleteGrant',
  summary: 'Withdraw an approval',
  description:
    'Every token that the client got by this grant, and every API key that it created, stops working immediately.',
  ending: 'deleted',
  errors: [...shared.errors, new NarrowedLoginError()],
};
