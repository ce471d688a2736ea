import type { Client } from '@items/dtos/contract';

/** A redirect to this machine by IP address: any port matches. RFC 8252 §7.3 */
const ADDRESS = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;
const ANY = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

/** Whether a redirect URI has a loopback IP address, not a name. */
export function isLoopbackAddress(uri: string): boolean {
  return ADDRESS.test(uri);
}

/** Whether a redirect URI leads to the user's own machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  return ANY.test(uri);
}

/** Whether a redirect URI uses `https` on a loopback host. oidc-provider refuses this for native clients. */
export function isSecureLoopback(uri: string): boolean {
  return ANY.test(uri.replace(/^https:/, 'http:')) && uri.startsWith('https:');
}

/**
 * Whether a redirect URI has the host `localhost` and is not registered. The name may resolve to another host. RFC 8252
 * §8.3
 */
export function isOtherLocalhost({ redirect_uris: registered }: Pick<Client, 'redirect_uris'>, uri: string): boolean {
  return isLoopback(uri) && !isLoopbackAddress(uri) && !registered.includes(uri);
}
