import { ACCESS_TOKEN_SECONDS } from '../credentials/tokens/lifetimes.js';
import { ApiError, RateLimitedError, RouteNotFoundError, UnauthorizedError, ValidationError } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { htmlPage, json } from '../../document/description/media-types.js';
import type { OperationDescription } from '../../document/description/operation.js';
import { oauthErrors, PAGE_HEADERS, pageErrors } from './error-forms.js';
import { authorizeQuery, introspectForm, pageForm, revokeForm, tokenForm } from './oauth-requests.openapi.js';

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
    refresh_token: text('Works once; a second use ends the session and all its tokens.', 'Zm9vYmFy…'),
    scope: text('The granted scopes; empty if none was granted.', 'items:read'),
  },
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  additionalProperties: false,
};

/** Describes a JSON object by one required member. Other members are allowed. */
function objectWith(member: string, schema: JsonSchema, description: string): JsonSchema {
  const properties = { [member]: schema };
  return { type: 'object', description, properties, required: [member], additionalProperties: true };
}

const INTROSPECTION = objectWith(
  'active',
  { type: 'boolean', examples: [true] },
  'RFC 7662 §2.2; a token that is invalid, or belongs to another client, is shown as inactive and nothing more.',
);
const METADATA = objectWith('issuer', text('The base URL.', 'https://api.example.com'), 'RFC 8414 §2');
const RESOURCE = objectWith('resource', text('The base URL.', 'https://api.example.com'), 'RFC 9728 §2');

const UNKNOWN_CLIENT = 'client authentication failed';

/** A client that did not send `Authorization` gets no challenge. RFC 6749 §5.2 */
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
  errorForm: oauthErrors,
  counted: true,
  errors: [
    new RateLimitedError(42),
    new UnknownClientError(),
    new UnauthorizedError(UNKNOWN_CLIENT, ['Basic realm="items"']),
  ],
} as const satisfies Partial<OperationDescription>;

const browser = { tag: TAG, errorForm: pageErrors, headers: PAGE_HEADERS } as const;
const page = { ...browser, ending: 'plain', content: htmlPage() } as const;
const redirect = { ...browser, ending: 'redirected' } as const;

export const tokenOperation: OperationDescription = {
  ...endpoint,
  id: 'requestToken',
  summary: 'Get or renew tokens',
  description: `A form (\`application/x-www-form-urlencoded\`). \`grant_type\` is \`authorization_code\` (with \`code\`,
\`redirect_uri\`, \`code_verifier\`), \`refresh_token\` or \`client_credentials\`. The client proves itself by HTTP Basic or
by \`client_id\` and \`client_secret\`; sessions are refreshed with \`client_id=first-party\`. RFC 6749 §3.2`.replaceAll(
    '\n',
    ' ',
  ),
  form: tokenForm,
  content: json(TOKEN_ANSWER),
};

export const revokeOperation: OperationDescription = {
  ...endpoint,
  id: 'revokeToken',
  summary: 'Revoke a token',
  description: 'A form with `token`. All tokens that were issued with it end as well. RFC 7009',
  form: revokeForm,
};

export const introspectOperation: OperationDescription = {
  ...endpoint,
  id: 'introspectToken',
  summary: 'Ask about a token',
  description: 'A form with `token`. A client sees only its own tokens. RFC 7662',
  form: introspectForm,
  content: json(INTROSPECTION),
};

export const metadataOperation: OperationDescription = {
  tag: TAG,
  id: 'oauthMetadata',
  summary: 'What clients need to know',
  description: 'RFC 8414',
  ending: 'plain',
  errorForm: oauthErrors,
  content: json(METADATA),
};

export const resourceOperation: OperationDescription = {
  ...metadataOperation,
  id: 'protectedResource',
  summary: 'Where tokens for this service come from',
  description: 'RFC 9728',
  content: json(RESOURCE),
};

export const jwksOperation: OperationDescription = {
  ...metadataOperation,
  id: 'oauthKeys',
  summary: 'The public keys',
  description: 'RFC 7517',
  content: json({ type: 'object', additionalProperties: true }, { keys: [] }, 'application/jwk-set+json'),
};

export const authorizeOperation: OperationDescription = {
  ...redirect,
  id: 'authorize',
  summary: 'Ask a user for access',
  description: `For the user's browser: leads to the pages for login and consent, and back to \`redirect_uri\` with
a code. \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\` and
\`code_challenge_method=S256\`. RFC 6749 §4.1.1, RFC 7636`.replaceAll('\n', ' '),
  query: authorizeQuery,
  content: htmlPage(),
};

export const resumeOperation: OperationDescription = {
  ...redirect,
  id: 'resumeAuthorization',
  summary: 'Continue after the login or consent page',
  content: htmlPage(),
};

export const interactionOperation: OperationDescription = {
  ...page,
  id: 'showPage',
  summary: 'The login or consent page',
};

export const showLogoutOperation: OperationDescription = {
  ...page,
  id: 'showLogout',
  summary: 'The page to log out',
  description: 'Says who is logged in with this browser, if anyone.',
};

export const logoutOperation: OperationDescription = {
  ...redirect,
  id: 'logOut',
  summary: 'Log out',
  description: 'Ends the login of this browser, and no token.',
};

export const beginLoginOperation: OperationDescription = {
  ...redirect,
  id: 'beginLogin',
  summary: 'Log in by the identity provider',
  errors: [new RouteNotFoundError()],
};

export const completeLoginOperation: OperationDescription = {
  ...redirect,
  id: 'completeLogin',
  summary: 'Come back from the identity provider',
  errors: [new RouteNotFoundError()],
};

export const interactionAnswerOperation: OperationDescription = {
  ...redirect,
  id: 'answerPage',
  summary: 'Log in, allow or deny',
  description:
    'The form of the page: `username` and `password`, or `decision`, which is `allow`, `deny` or `switch` (to another account).',
  form: pageForm,
  errors: [new ValidationError([{ field: 'password', code: 'wrong', message: 'Username or password is wrong.' }])],
};
