import { ApiError, RateLimitedError, UnauthorizedError, ValidationError } from '@items/errors';
import type { JsonSchema } from '@items/dtos';

import { htmlPage, json } from '../openapi/description/media-types.js';
import type { OperationDescription } from '../openapi/description/operation.js';
import { ACCESS_TOKEN_SECONDS } from './lifetimes.js';

const TAG = 'OAuth 2.0';

const text = (description: string, example: string, maxLength = 2048): JsonSchema => ({
  type: 'string',
  maxLength,
  description,
  examples: [example],
});

const TOKEN_ANSWER: JsonSchema = {
  type: 'object',
  description: 'RFC 6749 §5.1',
  properties: {
    access_token: text('Opaque.', 'h5fD0jk3…'),
    token_type: { const: 'Bearer', examples: ['Bearer'] },
    expires_in: {
      type: 'integer',
      format: 'int64',
      minimum: 1,
      maximum: ACCESS_TOKEN_SECONDS,
      examples: [ACCESS_TOKEN_SECONDS],
    },
    refresh_token: text('Good for one use; a second one ends all that came of it.', 'Zm9vYmFy…'),
    scope: text('What was granted; empty where nothing of what was asked for is.', 'items:read'),
  },
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  additionalProperties: false,
};

const INTROSPECTION: JsonSchema = {
  type: 'object',
  description: 'RFC 7662 §2.2; a token that is not valid, or not of the client that asks, is only not active.',
  properties: { active: { type: 'boolean', examples: [true] } },
  required: ['active'],
  additionalProperties: true,
};

const METADATA: JsonSchema = {
  type: 'object',
  description: 'RFC 8414 §2',
  properties: { issuer: text('The base URL.', 'https://api.example.com') },
  required: ['issuer'],
  additionalProperties: true,
};

const UNKNOWN_CLIENT = 'client authentication failed';

/** Only a client that came with `Authorization` is told how to come back. RFC 6749 §5.2 */
class UnknownClientError extends ApiError {
  override readonly status = 401;
  override readonly code = 'invalid_client';

  constructor() {
    super(UNKNOWN_CLIENT);
  }
}

const endpoint = {
  tag: TAG,
  ending: 'plain',
  errorForm: 'oauth',
  countsClients: true,
  errors: [
    new RateLimitedError(42),
    new UnknownClientError(),
    new UnauthorizedError(UNKNOWN_CLIENT, ['Basic realm="items"']),
  ],
} as const satisfies Partial<OperationDescription>;

const browser = { tag: TAG, errorForm: 'page' } as const;

export const tokenNotes: OperationDescription = {
  ...endpoint,
  id: 'requestToken',
  summary: 'Get or renew tokens',
  description: `A form (\`application/x-www-form-urlencoded\`). \`grant_type\` is \`authorization_code\` (with \`code\`,
\`redirect_uri\`, \`code_verifier\`), \`refresh_token\` or \`client_credentials\`. The client proves itself by HTTP Basic or
by \`client_id\` and \`client_secret\`; sessions are refreshed with \`client_id=first-party\`. RFC 6749 §3.2`.replaceAll(
    '\n',
    ' ',
  ),
  content: json(TOKEN_ANSWER),
};

export const revokeNotes: OperationDescription = {
  ...endpoint,
  id: 'revokeToken',
  summary: 'Revoke a token',
  description: 'A form with `token`. All that was issued with it is dead as well. RFC 7009',
};

export const introspectNotes: OperationDescription = {
  ...endpoint,
  id: 'introspectToken',
  summary: 'Ask about a token',
  description: 'A form with `token`; a client learns about its own only. RFC 7662',
  content: json(INTROSPECTION),
};

export const metadataNotes: OperationDescription = {
  tag: TAG,
  id: 'oauthMetadata',
  summary: 'What clients need to know',
  description: 'RFC 8414',
  ending: 'plain',
  errorForm: 'oauth',
  content: json(METADATA),
};

export const openidNotes: OperationDescription = { ...metadataNotes, id: 'openidMetadata' };

export const jwksNotes: OperationDescription = {
  ...metadataNotes,
  id: 'oauthKeys',
  summary: 'The public keys',
  description: 'RFC 7517',
  content: json({ type: 'object', additionalProperties: true }, { keys: [] }, 'application/jwk-set+json'),
};

export const authorizeNotes: OperationDescription = {
  ...browser,
  id: 'authorize',
  summary: 'Ask a user for access',
  description:
    `For the user's browser: leads to the pages where he logs in and decides, and back to \`redirect_uri\` with
a code. \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\` and
\`code_challenge_method=S256\`. RFC 6749 §4.1.1, RFC 7636`.replaceAll('\n', ' '),
  ending: 'redirected',
  content: htmlPage(),
};

export const resumeNotes: OperationDescription = {
  ...browser,
  id: 'resumeAuthorization',
  summary: 'Go on after a page',
  ending: 'redirected',
  content: htmlPage(),
};

export const interactionNotes: OperationDescription = {
  ...browser,
  id: 'showPage',
  summary: 'The login or consent page',
  ending: 'plain',
  content: htmlPage(),
};

export const interactionAnswerNotes: OperationDescription = {
  ...browser,
  id: 'answerPage',
  summary: 'Log in, allow or deny',
  description: 'The form of the page: `username` and `password`, or `decision`, which is `allow` or `deny`.',
  ending: 'redirected',
  errors: [new ValidationError([{ field: 'password', code: 'wrong', message: 'Username or password is wrong.' }])],
};
