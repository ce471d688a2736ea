import { fairnessKeyOf } from '../../http/scheduling/fairness-keys.js';
import { queryOf } from '../../http/request/query.js';
import { QUEUED_AT, type ReceivedRequest, pauseForEvent } from '../../http/received-request.js';
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

  /** Fairness key for slow reads, and the `performance.now()` of arrival in the queue. SPEC §4.1 */
  get slowReader(): { readonly caller: string; readonly arrivedAtMs: number | undefined } {
    const raw: ReceivedRequest = this.request.raw;
    return { caller: fairnessKeyOf(raw), arrivedAtMs: raw[QUEUED_AT] };
  }

  /** Releases the slot of a waiting request. Call the returned function when the wait ends. */
  readonly rest = (): (() => void) => pauseForEvent(this.request.raw);

  get gone(): AbortSignal {
    const gone = new AbortController();
    this.reply.raw.once('close', () => gone.abort());
    return gone.signal;
  }
}

/** Only `@Exchange('with query')` accepts query parameters. */
export const Exchange = exchangeDecorator(HttpExchange);
