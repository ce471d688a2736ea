import type { Provider } from 'oidc-provider';

import { hasSecret } from '../clients/client-registry.js';

/**
 * Has oidc-provider compare secrets by their hashes: there is no secret to compare with, and there may be two. It offers
 * no setting for that, so a method of its clients is replaced (seen in 9.13.3, whose types declare it); each provider has
 * a class of clients of its own.
 * @throws {Error} where another version compares in another way: it would compare a secret with hashes.
 */
export function compareSecretsByHash({ Client }: Pick<Provider, 'Client'>): void {
  const clients = Client.prototype;
  if (!Object.hasOwn(clients, 'compareClientSecret')) {
    throw new Error(
      'This version of oidc-provider does not compare secrets by `Client.prototype.compareClientSecret`.',
    );
  }
  clients.compareClientSecret = function (presented) {
    return hasSecret({ secretHashes: (this.clientSecret ?? '').split(' ') }, presented);
  };
}
