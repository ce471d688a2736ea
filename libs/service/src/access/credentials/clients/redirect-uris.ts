import type { Client } from '@items/dtos/contract';
import { explainRedirectUri } from '@items/dtos';
import { ValidationError } from '@items/conventions';

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * True if a browser can open the URL. Host and port are valid, and the host (except IPv6) is in the browser's spelling
 * (unlike `https://0x7f.1/`). The request schema checks the rest.
 * @see WHATWG URL, RFC 1123 §2.1
 */
export function isUsable(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { hostname, port } = new URL(redirectUri);
  if (port === '0') return false;
  if (hostname.startsWith('[')) return true;
  const isName = hostname.length <= MAX_HOST_LENGTH && hostname.split('.').every((label) => LABEL.test(label));
  return isName && hostOf(redirectUri) === hostname;
}

function hostOf(uri: string): string | undefined {
  return /^[a-z]+:\/\/([^/:?]+)/.exec(uri)?.[1];
}

/**
 * @param sent Redirect URIs of this request. Stored URIs are not validated again.
 * @throws {ValidationError} 422: no browser can open a URI, or the client uses codes but has no URI.
 */
export function requireUsableRedirectUris(
  { grant_types: types, redirect_uris: uris }: Pick<Client, 'grant_types' | 'redirect_uris'>,
  sent: readonly string[] = [],
): void {
  const unusable = sent.find((uri) => !isUsable(uri));
  if (unusable !== undefined) {
    const invalid = `contains an address with an invalid host or port: ${JSON.stringify(unusable)}.`;
    const message = `"redirect_uris" ${explainRedirectUri(unusable) ?? invalid}`;
    throw new ValidationError([{ field: 'redirect_uris', code: 'not_allowed', message }]);
  }
  if (!types.includes('authorization_code') || uris.length > 0) return;
  const message = '"redirect_uris" must have at least 1 for the grant type "authorization_code".';
  throw new ValidationError([{ field: 'redirect_uris', code: 'too_few', message, params: { min: 1 } }]);
}

/** Matches loopback IP addresses with any port. RFC 8252 §7.3 */
const ADDRESS = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;
const ANY = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

export function isLoopbackAddress(uri: string): boolean {
  return ADDRESS.test(uri);
}

/** True for an `http` URI of the user's own machine. Any program may listen there. */
export function isLoopback(uri: string): boolean {
  return ANY.test(uri);
}

/** True for `https` on a loopback host. oidc-provider refuses such a URI for native clients. */
export function isSecureLoopback(uri: string): boolean {
  return ANY.test(uri.replace(/^https:/, 'http:')) && uri.startsWith('https:');
}

/**
 * True for a `localhost` URI that is not registered exactly. Only an IP address may have another port, because a name
 * may resolve to another host. RFC 8252 §8.3
 */
export function isOtherLocalhost({ redirect_uris: registered }: Pick<Client, 'redirect_uris'>, uri: string): boolean {
  return isLoopback(uri) && !isLoopbackAddress(uri) && !registered.includes(uri);
}
