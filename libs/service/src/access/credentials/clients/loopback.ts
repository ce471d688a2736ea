import type { Client } from '@items/dtos/contract';

/** A redirect to this very machine, by address: any port matches. RFC 8252 §7.3 */
const ADDRESS = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;
const ANY = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** Whether a redirect URI is on a loopback address that is not a name. */
export function isLoopbackAddress(uri: string): boolean {
  return ADDRESS.test(uri);
}

/** Whether a redirect URI stays on the user's machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  return ANY.test(uri);
}

/** Whether `https` is registered for a loopback host, which oidc-provider refuses to clients that it calls native. */
export function isSecureLoopback(uri: string): boolean {
  return ANY.test(uri.replace(/^https:/, 'http:')) && uri.startsWith('https:');
}

/**
 * Whether a redirect URI names `localhost` without being registered: the name may resolve to
 * another host. RFC 8252 §8.3
 */
export function isOtherLocalhost({ redirect_uris: registered }: Pick<Client, 'redirect_uris'>, uri: string): boolean {
  return isLoopback(uri) && !isLoopbackAddress(uri) && !registered.includes(uri);
}
