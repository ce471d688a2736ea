import { unexpected } from '../errors/error-of-answer.js';
import { unlessAborted } from '../http/signals.js';
import { headerSafe, type Credential, type CredentialHeader } from '../http/credential.js';
import type { Tokens } from './auth.js';

/** Where access tokens come from: a login, a refresh, client credentials. */
export interface TokenSource {
  /** A new access token; asked once at a time. @throws what the caller of a request shall see. */
  next(): Promise<Tokens>;
  readonly first?: Tokens | undefined;
  secrets(): readonly string[];
}

/** Before its time is up, so that it is still good when it arrives; at most a tenth of its life. */
const MARGIN_MS = 10_000;

/** A bearer token that is renewed when its time is up or the service refuses it, once for all who wait. */
export function renewedToken(source: TokenSource): Credential {
  // How long tokens that were kept are still good for is not known: the service will say.
  let current = source.first?.access_token;
  let endsAtMs = Number.POSITIVE_INFINITY;
  let renewal: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const { access_token: token, expires_in: seconds } = await source.next();
    if (typeof token !== 'string') throw unexpected(200, 'The answer to the login holds no access token.');
    const lifeMs = (seconds ?? Number.POSITIVE_INFINITY) * 1000;
    endsAtMs = Date.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 10);
    current = headerSafe('The access token', token);
    return current;
  };
  const renewOnce = (): Promise<string> => {
    renewal ??= renew().finally(() => (renewal = undefined));
    return renewal;
  };

  return {
    header: async (signal): Promise<CredentialHeader> => {
      const good = current !== undefined && Date.now() < endsAtMs ? current : undefined;
      const token = good ?? (await unlessAborted(renewOnce(), signal));
      return { name: 'authorization', value: `Bearer ${token}` };
    },
    refused: ({ value }) => {
      // Another request may have renewed it meanwhile.
      if (value === `Bearer ${String(current)}`) current = undefined;
      return true;
    },
    owner: () => '',
    secrets: () => [...source.secrets(), ...(current === undefined ? [] : [current])],
  };
}
