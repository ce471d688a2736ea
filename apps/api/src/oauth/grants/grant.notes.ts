import { SCOPES } from '@items/contracts';
import { ResourceNotFoundError } from '@items/errors';

import { listContent } from '../../openapi/description/list-content.js';
import type { OperationDescription } from '../../openapi/description/operation.js';
import { ID, shownSchema } from '../../openapi/description/resource-schemas.js';
import { grantCollection } from './grant.collection.js';

const GRANT = shownSchema({
  user_id: ID,
  client_id: ID,
  client_name: {
    type: 'string',
    maxLength: 200,
    description: 'As it was when it was approved.',
    examples: ['Web shop'],
  },
  scopes: {
    type: 'array',
    items: { type: 'string', enum: SCOPES },
    maxItems: SCOPES.length,
    description: 'What the client may do for the user, at most.',
    examples: [['items:read']],
  },
});

const shared = { tag: 'Grants', resource: 'grant', errors: [new ResourceNotFoundError('user')] } as const;

export const listGrantsNotes: OperationDescription = {
  ...shared,
  id: 'listGrants',
  summary: 'List what the own user has approved',
  description: 'One entry for each client. A token of a client lists the approval of that client alone.',
  ending: 'list',
  list: grantCollection,
  ...listContent('grants', 'Grant', GRANT),
};

export const removeGrantNotes: OperationDescription = {
  ...shared,
  id: 'deleteGrant',
  summary: 'Take an approval back',
  description: 'All that the client got by it is dead at once.',
  ending: 'deleted',
};
