import type { Client } from '@items/dtos/contract';

/** A redirect to this machine by IP address: any port matches. RFC 8252 §7.3 */
const ADDRESS = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;
const ANY = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/;

export function isLoopbackAddress(uri: string): boolean {
  return ADDRESS.test(uri);
}

/** True for names and addresses of the user's own machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  return ANY.test(uri);
}

/** oidc-provider refuses `https` on a loopback host for native clients. */
export function isSecureLoopback(uri: string): boolean {
  return ANY.test(uri.replace(/^https:/, 'http:')) && uri.startsWith('https:');
}

/** A `localhost` that is not registered may resolve to another host. RFC 8252 §8.3 */
export function isOtherLocalhost({ redirect_uris: registered }: Pick<Client, 'redirect_uris'>, uri: string): boolean {
  return isLoopback(uri) && !isLoopbackAddress(uri) && !registered.includes(uri);
}
