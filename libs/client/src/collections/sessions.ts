import type { CreatedSession, Session, SessionInput } from '@items/dtos/contract';

import { login } from '../auth/request-tokens.js';
import { apiCall, type ApiCall } from '../calls/api-call.js';
import type { CallOptions, CreateOptions } from '../client-options.js';
import { wasRefused } from '../errors/items-api-error.js';
import type { Send } from '../http/outgoing-request.js';
import { randomKey } from '../http/random-key.js';
import { retrying } from '../http/retry.js';
import { collection, type Collection } from './collection.js';
import type { Reach } from './reach.js';
import type { Between } from './list-query.js';

export type SessionFilters = Between<'created_at' | 'last_used_at', string>;

/** `/sessions`: the logins of users. SPEC §5 */
export interface Sessions extends Pick<
  Collection<'sessions', Session, SessionInput, SessionFilters>,
  'page' | 'walk' | 'delete'
> {
  /**
   * Logs in, without the client's own credential. Pass the result as `auth: { session: { tokens } }`. Not repeated if
   * the response is lost.
   */
  create(input: SessionInput, options?: CallOptions & Pick<CreateOptions, 'idempotencyKey'>): ApiCall<CreatedSession>;
}

export function sessions(reach: Reach, send: Send): Sessions {
  return {
    ...collection<'sessions', Session, SessionInput, SessionFilters>(reach, 'sessions'),
    create: (input, { idempotencyKey = randomKey(), signal = reach.signal, ...options } = {}) =>
      apiCall(async () =>
        retrying(reach.retry, signal, () => login(input, idempotencyKey, { ...options, signal }, send), wasRefused),
      ),
  };
}
