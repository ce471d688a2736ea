import { UnauthorizedError } from '@items/conventions';

/** How a request shows who makes it, as its raw headers have it. */
export type Presented =
  | { readonly method: 'none' }
  | { readonly method: 'several' }
  | { readonly method: 'api-key' }
  | { readonly method: 'authorization'; /** In lower case. */ readonly scheme: string };

const REALM = 'realm="items"';
const BASIC = `Basic ${REALM}, charset="UTF-8"`;
const API_KEY = `ApiKey ${REALM}, header="X-API-Key"`;

/** Below the base URL: what clients learn of how the service is protected. RFC 9728 §3 */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What the metadata call the service: its base URL without a slash at the end. RFC 9728 §2 */
export function resourceOf(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '');
}

/**
 * 401, with a challenge for each method. It never tells why a credential is not valid. SPEC §5 rule 1
 * @see RFC 6750 §3.1, RFC 9728 §5.1
 */
export function unauthorized(presented: Presented, { baseUrl }: { readonly baseUrl: string }): UnauthorizedError {
  const isBearer = presented.method === 'authorization' && presented.scheme === 'bearer';
  const bearer = `Bearer ${REALM}${isBearer ? ', error="invalid_token"' : ''}`;
  const metadata = `resource_metadata="${resourceOf(baseUrl)}${RESOURCE_METADATA_PATH}"`;
  const sentence =
    presented.method === 'none'
      ? 'This operation needs a credential, such as an API key in X-API-Key.'
      : 'The credential is not valid.';
  return new UnauthorizedError(sentence, [`${bearer}, ${metadata}`, BASIC, API_KEY]);
}
