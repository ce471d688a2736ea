import { OutsideTokens, type OutsideToken } from '../outside-tokens/outside-tokens.js';
import { Logger, type FactoryProvider } from '@nestjs/common';

import { isDelegable } from '../auth/delegable-scopes.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';

/** Cached data of a verified token, without secrets. */
export type OutsideCaller = Pick<OutsideToken, 'issuer' | 'subject' | 'person' | 'scopes'>;

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
        // A claim of the issuer alone does not grant scopes of administrators: the operator must map them.
        scopes: mapping.has(issuer) ? scopes : scopes.filter(isDelegable),
      }),
      new Logger(OutsideTokens.name),
    );
  },
};
