import { NarrowedLoginError, PasswordLoginOffError, TooManyFailuresError } from '../../errors/access-errors.js';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../../credentials/tokens/lifetimes.js';
import { FAILURES_PER_ACCOUNT } from '../../credentials/logins/login-failures.js';
import { NotOwnerError, ResourceNotFoundError, UnauthorizedError } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { exampleOf } from '../../../document/description/example.js';
import { type Fields, ID, resourceSchema } from '../../../document/description/resource-schemas.js';
import { json, schemaRef } from '../../../document/description/media-types.js';
import { listContent } from '../../../document/description/list-content.js';
import type { OperationDescription } from '../../../document/description/operation.js';
import { sessionCollection, SessionDto } from '../authorizations/session.collection.js';

const SESSION = resourceSchema(SessionDto);
const { scope: SCOPE = {} } = SESSION['properties'] as Fields;

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

const shared = { tag: 'Sessions', resource: 'session' } as const;

export const createSessionOperation: OperationDescription = {
  ...shared,
  id: 'createSession',
  summary: 'Log in',
  description:
    'Only this response shows the tokens. Get a new access token from `POST /oauth/token`. A user has at most 100 sessions: a login beyond them ends the one used longest ago.',
  ending: 'created',
  secret: true,
  content: json(schemaRef('CreatedSession'), exampleOf(CREATED)),
  schemas: { CreatedSession: CREATED },
  errors: [
    new PasswordLoginOffError(),
    new UnauthorizedError('The credential is not valid.', ['Bearer realm="items"']),
    new TooManyFailuresError(FAILURES_PER_ACCOUNT, 42),
  ],
};

export const listSessionsOperation: OperationDescription = {
  ...shared,
  id: 'listSessions',
  summary: 'List sessions',
  description:
    "The caller's own sessions. A login with fewer scopes than its user lists only itself; an administrator's credential without a user lists all sessions.",
  ending: 'list',
  list: sessionCollection,
  errors: [new ResourceNotFoundError('user')],
  ...listContent('sessions', 'Session', SESSION),
};

export const removeSessionOperation: OperationDescription = {
  ...shared,
  id: 'deleteSession',
  summary: 'Log out',
  description:
    'Its tokens stop working immediately. A login with fewer scopes than its user ends only its own session.',
  ending: 'deleted',
  errors: [new ResourceNotFoundError('user'), new NotOwnerError(), new NarrowedLoginError()],
};
