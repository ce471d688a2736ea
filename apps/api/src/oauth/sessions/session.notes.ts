import { SCOPES } from '@items/contracts';
import { NotOwnerError, ResourceNotFoundError, TooManyFailuresError } from '@items/errors';
import type { JsonSchema } from '@items/dtos';

import { FAILURES_PER_ACCOUNT } from '../../accounts/login-failures.js';
import { unauthorized } from '../../auth/challenges.js';
import { exampleOf } from '../../openapi/description/example.js';
import { listContent } from '../../openapi/description/list-content.js';
import { json, schemaRef } from '../../openapi/description/media-types.js';
import type { OperationDescription } from '../../openapi/description/operation.js';
import { ID, shownSchema, TIME } from '../../openapi/description/resource-schemas.js';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../lifetimes.js';
import { sessionCollection } from './session.collection.js';

const SCOPE: JsonSchema = {
  type: 'string',
  maxLength: SCOPES.join(' ').length,
  description: 'What was granted, separated by blanks.',
  examples: ['items:read items:write'],
};

const TOKEN: JsonSchema = {
  type: 'string',
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'Shown once, never stored.',
  examples: ['0'.repeat(43)],
};

const seconds = (value: number): JsonSchema => ({ const: value, description: 'Seconds.', examples: [value] });

const CREATED: JsonSchema = {
  type: 'object',
  properties: {
    id: ID,
    token_type: { const: 'Bearer', examples: ['Bearer'] },
    access_token: TOKEN,
    expires_in: seconds(ACCESS_TOKEN_SECONDS),
    refresh_token: TOKEN,
    refresh_expires_in: seconds(REFRESH_TOKEN_SECONDS),
    scope: SCOPE,
  },
  required: ['id', 'token_type', 'access_token', 'expires_in', 'refresh_token', 'refresh_expires_in', 'scope'],
  additionalProperties: false,
};

const SESSION = shownSchema({
  user_id: ID,
  scope: SCOPE,
  last_used_at: { ...TIME, type: ['string', 'null'], description: 'The last refresh; null before the first.' },
  expires_at: { ...TIME, description: 'When the refresh token ends, unless it is used before.' },
});

const shared = { tag: 'Sessions', resource: 'session' } as const;

export const createSessionNotes: OperationDescription = {
  ...shared,
  id: 'createSession',
  summary: 'Log in',
  description: 'The tokens are shown only in this answer. A new one is had at `POST /oauth/token`.',
  ending: 'created',
  secret: true,
  content: json(schemaRef('CreatedSession'), exampleOf(CREATED)),
  schemas: { CreatedSession: CREATED },
  errors: [
    unauthorized({ method: 'authorization', scheme: 'basic' }),
    new TooManyFailuresError(FAILURES_PER_ACCOUNT, 42),
  ],
};

export const listSessionsNotes: OperationDescription = {
  ...shared,
  id: 'listSessions',
  summary: 'List sessions',
  description: "The caller's own; without a user, an administrator's credential lists everybody's.",
  ending: 'list',
  list: sessionCollection,
  errors: [new ResourceNotFoundError('user')],
  ...listContent('sessions', 'Session', SESSION),
};

export const removeSessionNotes: OperationDescription = {
  ...shared,
  id: 'deleteSession',
  summary: 'Log out',
  description: 'Its tokens are dead at once.',
  ending: 'deleted',
  errors: [new ResourceNotFoundError('user'), new NotOwnerError()],
};
