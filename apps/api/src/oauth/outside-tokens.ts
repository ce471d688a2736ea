import { isScope } from '@items/contracts';
import { OutsideTokens, type OutsideToken } from '@items/outside-tokens';
import { Logger, type FactoryProvider } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import type { Principal } from '../principal/principal.js';
import { hashed } from './tokens/hashed.js';

/** Judges the tokens of the identity providers that the configuration trusts. SPEC §5.5 */
export const outsideTokens: FactoryProvider<OutsideTokens<Principal>> = {
  provide: OutsideTokens,
  inject: [CONFIG],
  useFactory: ({ oauthIssuers }: Config) =>
    new OutsideTokens(oauthIssuers, outsidePrincipal, new Logger(OutsideTokens.name)),
};

/** The holder of another provider's token is not a user of this service. */
export function outsidePrincipal({ issuer, subject, scopes }: OutsideToken): Principal {
  // Neither of the two alone is unique.
  const credentialId = `outside:${hashed(JSON.stringify([issuer, subject]))}`;
  const allowed = new Set(scopes.filter(isScope));
  return { credentialId, kind: 'bearer', userId: null, isAdmin: false, scopes: allowed, rateLimit: null };
}
