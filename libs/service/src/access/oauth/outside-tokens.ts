import { OutsideTokens, type OutsideToken } from '../outside-tokens/outside-tokens.js';
import { Logger, type FactoryProvider } from '@nestjs/common';

import { isDelegable } from '../auth/delegable-scopes.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';

/** What is remembered of a verified token: nothing secret. */
export type OutsideCaller = Pick<OutsideToken, 'issuer' | 'subject' | 'person' | 'scopes'>;

/** Judges the tokens of the identity providers that the configuration trusts. SPEC §5.5 */
export const outsideTokens: FactoryProvider<OutsideTokens<OutsideCaller>> = {
  provide: OutsideTokens,
  inject: [CONFIG],
  useFactory: ({ oauthIssuers }: Config) => {
    const mapping = new Set(oauthIssuers.filter(({ scopeMap }) => scopeMap !== undefined).map(({ issuer }) => issuer));
    return new OutsideTokens(
      oauthIssuers,
      ({ issuer, subject, person, scopes }) => ({
        issuer,
        subject,
        person,
        // An operator gives the scopes of administrators by name: the words of an issuer are not enough.
        scopes: mapping.has(issuer) ? scopes : scopes.filter(isDelegable),
      }),
      new Logger(OutsideTokens.name),
    );
  },
};
