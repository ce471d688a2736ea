import { OutsideTokens, type OutsideToken } from '../outside-tokens/outside-tokens.js';
import { Logger, type FactoryProvider } from '@nestjs/common';

import { CONFIG, type Config } from '../../runtime/config/config.js';

/** What is remembered of a verified token: nothing secret. */
export type OutsideCaller = Pick<OutsideToken, 'issuer' | 'subject' | 'person' | 'scopes'>;

/** Judges the tokens of the identity providers that the configuration trusts. SPEC §5.5 */
export const outsideTokens: FactoryProvider<OutsideTokens<OutsideCaller>> = {
  provide: OutsideTokens,
  inject: [CONFIG],
  useFactory: ({ oauthIssuers }: Config) =>
    new OutsideTokens(
      oauthIssuers,
      ({ issuer, subject, person, scopes }) => ({ issuer, subject, person, scopes }),
      new Logger(OutsideTokens.name),
    ),
};
