import type { Scope } from '@items/dtos/contract';
import { RESOURCE_METADATA_PATH, resourceOf } from '../../credentials/requests/resource.js';
import { scopeSentence } from '../../credentials/pages/consent-page.js';
import { ApiKeyStrategy } from '../api-key/api-key.strategy.js';
import { BasicStrategy } from '../basic/basic.strategy.js';
import { BearerStrategy } from '../bearer/bearer.strategy.js';
import { delegableScopes } from '../../principal/rights.js';
import type { AuthStrategy } from './auth-strategy.js';

const REALM = 'realm="items"';

export const BUILT_IN_STRATEGIES: readonly AuthStrategy[] = [
  {
    name: 'api-key',
    header: 'X-API-Key',
    strategy: ApiKeyStrategy,
    challenge: () => `ApiKey ${REALM}, header="X-API-Key"`,
    documented: () => ({
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description:
          'A long random key, managed at `/api-keys`. Over HTTPS only, and never in a URL. One credential a request.',
      },
    }),
  },
  {
    name: 'basic',
    header: 'Authorization',
    scheme: 'basic',
    strategy: BasicStrategy,
    challenge: () => `Basic ${REALM}, charset="UTF-8"`,
    documented: () => ({
      basic: {
        type: 'http',
        scheme: 'Basic',
        description: "A user's name and password, in UTF-8. Base64 hides nothing: over HTTPS only.",
      },
    }),
  },
  {
    name: 'bearer',
    header: 'Authorization',
    scheme: 'bearer',
    strategy: BearerStrategy,
    // RFC 6750 §3.1, RFC 9728 §5.1
    challenge: ({ baseUrl, isPresented }) =>
      `Bearer ${REALM}${isPresented ? ', error="invalid_token"' : ''}, ` +
      `resource_metadata="${resourceOf(baseUrl)}${RESOURCE_METADATA_PATH}"`,
    documented: (scopes) => ({
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'An access token: from a login at `/sessions`, by OAuth 2.0, or of an issuer that is trusted.',
      },
      oauth2: {
        type: 'oauth2',
        description:
          'For applications that act for a user who has approved it, or for themselves. PKCE (S256) is required. Tokens ' +
          'of this service are opaque; a JWT, of an issuer that is trusted, is checked as RFC 8725 (RFC8725) asks.',
        flows: {
          authorizationCode: {
            authorizationUrl: '/oauth/authorize',
            tokenUrl: '/oauth/token',
            refreshUrl: '/oauth/token',
            scopes: scopeDescriptions(delegableScopes(new Set(scopes))),
          },
          clientCredentials: { tokenUrl: '/oauth/token', scopes: scopeDescriptions(scopes) },
        },
      },
    }),
  },
];

function scopeDescriptions(scopes: Iterable<Scope>): Readonly<Record<string, string>> {
  return Object.fromEntries([...scopes].map((scope) => [scope, scopeSentence(scope)]));
}
