import { unexpected } from '../errors/error-of-answer.js';
import { unlessAborted } from '../http/signals.js';
import { headerSafe, type Credential, type CredentialHeader } from '../http/credential.js';
import type { Tokens } from './auth.js';

/** Where access tokens come from: a login, a refresh, client credentials. */
export interface TokenSource {
  /**
   * Returns a new access token; calls never overlap. @throws what the caller of a request gets.
   * @param refused the last token that the service refused, or ''.
   */
  next(refused: string): Promise<Tokens>;
  readonly first?: Tokens | undefined;
  /** See {@link Credential.owner}; left out: all tokens are one user's. */
  readonly owner?: Credential['owner'];
  secrets(): readonly string[];
}

/** Before its time is up, so that it is still good when it arrives; at most a tenth of its life. */
const MARGIN_MS = 10_000;

/**
 * A bearer token that is renewed when its time is up or the service refuses it, once for all calls that wait. Where that
 * fails, it has failed for every call that had begun: each try of a login counts towards its lock-out. SPEC §5.1
 */
export function renewedToken(source: TokenSource): Credential {
  // How long tokens that were kept are still good for is not known: the service will say.
  let endsAtMs = Number.POSITIVE_INFINITY;
  let current = source.first?.access_token ? bearer(source.first.access_token) : undefined;
  let renewal: Promise<CredentialHeader> | undefined;
  let refusedToken = '';
  let failures = 0;
  let failure: unknown;

  const renew = async (): Promise<CredentialHeader> => {
    try {
      const { access_token: token, expires_in: seconds } = await source.next(refusedToken);
      if (typeof token !== 'string') throw unexpected(200, 'No access token in the response.');
      const lifeMs = (seconds ?? Number.POSITIVE_INFINITY) * 1000;
      endsAtMs = Date.now() + lifeMs - Math.min(MARGIN_MS, lifeMs / 10);
      return (current = bearer(token));
    } catch (error) {
      failures += 1;
      failure = error;
      throw error;
    } finally {
      renewal = undefined;
    }
  };

  return {
    isRenewable: true,
    begin: () => {
      const failuresBefore = failures;
      return async (signal, refused) => {
        // By identity: the next token may have the same text.
        if (refused !== undefined && refused === current) {
          refusedToken = tokenIn(current);
          current = undefined;
        }
        if (current !== undefined && Date.now() < endsAtMs) return current;
        if (failures > failuresBefore) throw failure;
        return unlessAborted((renewal ??= renew()), signal);
      };
    },
    owner: source.owner ?? ((): string => ''),
    secrets: () => [...source.secrets(), ...(current === undefined ? [] : [tokenIn(current)])],
  };
}

function tokenIn({ value }: CredentialHeader): string {
  return value.slice('Bearer '.length);
}

function bearer(token: string): CredentialHeader {
  return { name: 'authorization', value: `Bearer ${headerSafe('The access token', token)}` };
}
