import type { JsonSchema } from '@items/fields';
import type { FormDescription, QueryParameter } from '../../document/description/operation.js';

type Fields = Readonly<Record<string, JsonSchema>>;

const text = (description: string, example: string, maxLength = 1024): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
  examples: [example],
});
const word = (value: string, description: string): JsonSchema => ({
  type: 'string',
  const: value,
  examples: [value],
  description,
});
const choice = (values: readonly string[], description: string, example: string): JsonSchema => ({
  type: 'string',
  enum: values,
  description,
  examples: [example],
});

/** Allows unknown parameters, because RFC 6749 §3.2 requires servers to ignore them. */
function request(description: string, required: Fields, optional: Fields = {}): JsonSchema {
  const properties = { ...required, ...optional };
  return { type: 'object', description, properties, required: Object.keys(required) };
}

const CLIENT_ID = text('The client; `first-party` for sessions of `POST /sessions`.', 'first-party');
const CLIENT_SECRET = text('Only if the client does not use HTTP Basic.', 'its-secret');
const SCOPE = text('Scopes separated by blanks. Scopes that cannot be granted are omitted.', 'items:read');
const REDIRECT_URI = text('One of the registered addresses, exactly.', 'https://shop.example/callback', 2000);
const TOKEN = text('The token in question.', 'Zm9vYmFy');
const TOKEN_TYPE_HINT = choice(
  ['access_token', 'refresh_token'],
  'Tells the service which kind of token it is.',
  'refresh_token',
);

export const tokenForm: FormDescription = {
  name: 'TokenRequest',
  // One object, because code generators create no form from a union.
  schema: request(
    'RFC 6749 §4.1.3, §4.4.2, §6: `authorization_code` needs `code`, `redirect_uri` and `code_verifier`; `refresh_token` needs `refresh_token`.',
    {
      grant_type: choice(
        ['authorization_code', 'refresh_token', 'client_credentials'],
        'How the client shows that it may have a token.',
        'refresh_token',
      ),
    },
    {
      code: text('The code from the query of the redirect.', 'k3Xz'),
      redirect_uri: REDIRECT_URI,
      code_verifier: text('RFC 7636 §4.1', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', 128),
      refresh_token: text('Good for one use.', 'Zm9vYmFy'),
      scope: SCOPE,
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    },
  ),
  examples: {
    'Refresh a session': { grant_type: 'refresh_token', client_id: 'first-party', refresh_token: 'Zm9vYmFy' },
    'Exchange a code': {
      grant_type: 'authorization_code',
      code: 'k3Xz',
      redirect_uri: 'https://shop.example/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    'Act for itself': { grant_type: 'client_credentials', scope: 'items:read' },
  },
};

const ABOUT_TOKEN = { token_type_hint: TOKEN_TYPE_HINT, client_id: CLIENT_ID, client_secret: CLIENT_SECRET };

export const revokeForm: FormDescription = {
  name: 'RevocationRequest',
  schema: request('RFC 7009 §2.1', { token: TOKEN }, ABOUT_TOKEN),
  examples: { 'End a session': { token: 'Zm9vYmFy', client_id: 'first-party' } },
};

export const introspectForm: FormDescription = {
  name: 'IntrospectionRequest',
  schema: request('RFC 7662 §2.1', { token: TOKEN }, ABOUT_TOKEN),
  examples: { 'Ask about a token': { token: 'Zm9vYmFy' } },
};

export const pageForm: FormDescription = {
  name: 'PageAnswer',
  schema: request(
    'The login page has `username` and `password`, the consent page has `decision`.',
    {},
    {
      username: text('Of the user.', 'mary', 256),
      password: text('Of the user.', 'correct horse battery staple'),
      decision: choice(['allow', 'deny', 'switch'], 'The button that was pressed.', 'allow'),
    },
  ),
  examples: {
    'Log in': { username: 'mary', password: 'correct horse battery staple' },
    Allow: { decision: 'allow' },
  },
};

function parameter(name: string, schema: JsonSchema, required = true): QueryParameter {
  return { name, required, schema };
}

export const authorizeQuery: readonly QueryParameter[] = [
  parameter('response_type', word('code', 'The code flow is the only one.')),
  parameter('client_id', text('The client, as it was registered.', '019a9f3e')),
  parameter('redirect_uri', REDIRECT_URI),
  parameter('code_challenge', text('S256 of the verifier.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', 128)),
  parameter('code_challenge_method', word('S256', 'The plain method is refused.')),
  parameter('scope', SCOPE, false),
  parameter('state', text('Comes back with the code.', 'xyz'), false),
];
