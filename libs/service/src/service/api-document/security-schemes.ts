import type { Scope } from '@items/dtos/contract';
import { scopeSentence } from '../../access/credentials/pages/scope-sentence.js';

import { delegableScopes } from '../../access/auth/delegable-scopes.js';

/** What each scope allows. */
function meanings(scopes: Iterable<Scope>): Readonly<Record<string, string>> {
  return Object.fromEntries([...scopes].map((scope) => [scope, scopeSentence(scope)]));
}

/** The ways to authenticate, as the document calls them; every one of them works on every protected route. SPEC §5 */
export const SCHEME_NAMES = ['apiKey', 'basic', 'bearer', 'oauth2'] as const;

/** What they are. @param scopes of the service. */
export function securitySchemes(scopes: readonly Scope[]): Readonly<Record<(typeof SCHEME_NAMES)[number], object>> {
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description:
        'A long random key, managed at `/api-keys`. Over HTTPS only, and never in a URL. One credential a request.',
    },
    basic: {
      type: 'http',
      scheme: 'Basic',
      description: "A user's name and password, in UTF-8. Base64 hides nothing: over HTTPS only.",
    },
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
          scopes: meanings(delegableScopes(new Set(scopes))),
        },
        clientCredentials: { tokenUrl: '/oauth/token', scopes: meanings(scopes) },
      },
    },
  };
}
