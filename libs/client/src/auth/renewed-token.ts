import { unexpected } from '../errors/error-of-answer.js';
import { unlessAborted } from '../http/signals.js';
import { headerSafe, type Credential, type CredentialHeader } from '../http/credential.js';
import type { Tokens } from './auth.js';

export interface TokenSource {
  /**
   * Fetches a new access token. Calls never overlap. A rejection reaches the callers of all waiting requests.
   * @param refused The last token that the service refused, or ''.
   */
  next(refused: string): Promise<Tokens>;
  readonly first?: Tokens | undefined;
  /** See {@link Credential.owner}. Default: all tokens belong to one user. */
  readonly owner?: Credential['owner'];
  secrets(): readonly string[];
}

/** Renew a token this early, so that it is still valid on arrival; at most a tenth of its lifetime. */
const MARGIN_MS = 10_000;

/**
 * A bearer token that is renewed when it expires or is refused. All waiting calls share one renewal and its failure,
 * because each attempt to log in counts towards the lockout. SPEC §5.1
 */
export function renewedToken(source: TokenSource): Credential {
  // The remaining lifetime of stored tokens is unknown, so they are used until the service refuses them.
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
        // Compares object identity, because the next token may have the same text.
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
