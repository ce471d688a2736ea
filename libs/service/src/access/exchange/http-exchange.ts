import { fairnessKeyOf } from '../../http/scheduling/fairness-keys.js';
import { queryOf } from '../../http/request/query.js';
import { QUEUED_AT, type ReceivedRequest, rest } from '../../http/received-request.js';
import { exchangeDecorator, CollectionExchange } from '../../http/nest/collection-exchange.js';
import type { FastifyRequest } from 'fastify';
import { type ChangeSource, sourceOf } from '../principal/request-principal.js';

export class HttpExchange extends CollectionExchange {
  get source(): ChangeSource {
    return sourceOf(this.request);
  }

  get message(): Pick<FastifyRequest['raw'], 'headers'> {
    return this.request.raw;
  }

  get query(): readonly (readonly [name: string, value: string])[] {
    return queryOf(this.request);
  }

  /** Fairness key for slow reads, and the time at which the request was queued. SPEC §4.1 */
  get slowReader(): { readonly caller: string; readonly arrivedAtMs: number | undefined } {
    const raw: ReceivedRequest = this.request.raw;
    return { caller: fairnessKeyOf(raw), arrivedAtMs: raw[QUEUED_AT] };
  }

  /** A resting request occupies no slot of the queue. Call the returned function when the wait ends. */
  readonly rest = (): (() => void) => rest(this.request.raw);

  get gone(): AbortSignal {
    const gone = new AbortController();
    this.reply.raw.once('close', () => gone.abort());
    return gone.signal;
  }
}

/** The route accepts query parameters only with `'with query'`. */
export const Exchange = exchangeDecorator(HttpExchange);
