import { queryOf } from '@items/http';
import type { AuditSource } from '@items/logging/nest';
import { exchangeDecorator, HttpExchange as CollectionExchange } from '@items/nest';

import type { FastifyRequest } from 'fastify';

import type {} from '../principal/request-principal.js';

/** A request and its answer, and who asks. */
export class HttpExchange extends CollectionExchange {
  /** Who asks, and from where, for the audit log. */
  get source(): AuditSource {
    const { principal, ip, id } = this.request;
    return { actor: principal?.credentialId ?? null, userId: principal?.userId ?? null, address: ip, requestId: id };
  }

  /** What stands in the request before its body. */
  get message(): Pick<FastifyRequest['raw'], 'headers'> {
    return this.request.raw;
  }

  /** The query string, decoded, in the order sent. */
  get query(): readonly (readonly [name: string, value: string])[] {
    return queryOf(this.request);
  }

  /** Aborted when there is nobody left to answer. */
  get gone(): AbortSignal {
    const gone = new AbortController();
    this.reply.raw.once('close', () => gone.abort());
    return gone.signal;
  }
}

/** Gives a handler its {@link HttpExchange}. Unless it is `'with query'`, the route takes no query parameters. */
export const Exchange = exchangeDecorator(HttpExchange);
