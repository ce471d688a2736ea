import { HEADER } from '@items/conventions';
import { MethodNotAllowedError, RouteNotFoundError, type ApiError } from '@items/errors';
import { toApiError } from '@items/errors/answer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Connections, TOO_MANY_CONNECTIONS } from './connections.js';
import type { Cors, OriginSource } from './cors.js';
import type { EdgeOptions } from './edge-options.js';
import { tidyForwarding } from './forwarding-headers.js';
import { sharedHeaders } from './general-headers.js';
import type { Lifecycle } from './lifecycle.js';
import { lingerWhenClosed, mayHaveBody } from './lingering-close.js';
import { connectionFault, isUpgrade, requestFault } from './request-faults.js';
import { isRefused, OVERLOADED, queuedAt } from './request-queue.js';
import type { RouteTable } from './route-table.js';
import { sendErrorText } from './send-text.js';
import { whenClosed } from './when-closed.js';

/** What the hooks work with. */
export interface RequestHooksParts extends Pick<
  EdgeOptions,
  'ownHeaders' | 'errorFormAt' | 'refusalFor' | 'alwaysAnswered' | 'onAnswer'
> {
  readonly routes: RouteTable;
  readonly cors: Cors;
  readonly connections: Connections;
  readonly lifecycle: Lifecycle;
}

/** What an application has to say of requests before a route does. */
export interface EdgeHooks extends OriginSource {
  /** Counts a request that no route takes, and sets the headers of its quota; the outcome does not matter here. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Why every route refuses the request, for any caller. */
  refusalFor(request: FastifyRequest): ApiError | null;
}

/** Of an application that has nothing to say. */
const NO_HOOKS: EdgeHooks = { admit: () => Promise.resolve(), refusalFor: () => null };

/**
 * Where each request comes in: they judge it as HTTP, give its answer the headers that all have, and answer what no route
 * takes (404, 405, OPTIONS). What they let through goes to the guards.
 */
export class RequestHooks {
  constructor(private readonly parts: RequestHooksParts) {}

  /** @param fastify without any route as yet: those it gets are the ones that `Allow` names. */
  install(fastify: FastifyInstance, hooks: EdgeHooks = NO_HOOKS): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      this.parts.routes.add(method, url);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const enter = (): void => {
        const fault = this.receive(request, reply);
        if (fault !== undefined) this.answer(fault, request, reply);
        else if (isUnrouted(request)) void this.answerUnrouted(request, reply, hooks);
        else done();
      };
      const preparation = this.parts.cors.prepare(request, hooks);
      if (preparation === undefined) enter();
      else void preparation.then(enter);
    });
  }

  /** For the requests that the router cannot read; no hook runs for them. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.answer(this.receive(request, reply) ?? thrown, request, reply);
  }

  private receive(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const { raw } = request;
    tidyForwarding(raw.headers);
    const hear = this.parts.lifecycle.isOwn(raw) ? undefined : this.parts.onAnswer(reply, queuedAt(raw));
    if (hear !== undefined) whenClosed(reply.raw, hear);
    reply.header(HEADER.requestId, request.id);
    reply.headers(sharedHeaders(this.parts.ownHeaders(raw), request.protocol === 'https'));
    const isTooMany = this.parts.connections.isTooMany(raw.socket);
    if (isTooMany || isUpgrade(raw)) reply.header('connection', 'close');
    if (mayHaveBody(raw)) lingerWhenClosed(raw);
    // Fastify would answer an unreadable media type by itself, before the guards; the body's reader refuses it later.
    if (isUnreadable(request)) delete raw.headers['content-type'];
    this.parts.cors.mark(request, reply);
    if (isTooMany && !this.parts.alwaysAnswered.some((start) => raw.url?.startsWith(start)))
      return TOO_MANY_CONNECTIONS;
    const fault = connectionFault(raw);
    if (fault === undefined && isRefused(raw)) return OVERLOADED;
    if (fault === undefined) return requestFault(raw) ?? this.parts.refusalFor(raw.url ?? '');
    reply.header('connection', 'close');
    return fault;
  }

  private async answerUnrouted(request: FastifyRequest, reply: FastifyReply, hooks: EdgeHooks): Promise<void> {
    const url = request.raw.url ?? '/';
    // Where it cannot be counted, for want of Redis say, it is answered all the same.
    await hooks.admit(request, reply).catch(() => undefined);
    const isServerWide = request.method === 'CONNECT' || (request.method === 'OPTIONS' && url === '*');
    const allow = isServerWide ? this.parts.routes.allowedAnywhere() : this.parts.routes.allowedAt(url);
    if (allow === undefined) this.answer(new RouteNotFoundError(), request, reply);
    else if (request.method !== 'OPTIONS') this.answer(new MethodNotAllowedError(allow), request, reply);
    else this.answerOptions(request, reply, allow, hooks.refusalFor(request));
  }

  /** It needs no credential, and takes none where no one may send one. SPEC §1.1 */
  private answerOptions(request: FastifyRequest, reply: FastifyReply, allow: string, refusal: ApiError | null): void {
    if (refusal !== null) {
      this.answer(refusal, request, reply);
      return;
    }
    this.parts.cors.markPreflight(request, reply, allow);
    reply.code(204).header('allow', allow).send();
  }

  private answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const form = this.parts.errorFormAt(request.raw.url ?? '');
    if (form === undefined) sendErrorText(thrown, reply);
    else if (!reply.sent) {
      const { status, headers, body } = form(toApiError(thrown));
      reply
        .code(status)
        .headers(headers as Record<string, string>)
        .send(body);
    }
  }
}

/** What most send is not parsed. */
function isUnreadable(request: FastifyRequest): boolean {
  const type = request.raw.headers['content-type'];
  return type !== undefined && type !== 'application/json' && request.mediaType === undefined;
}

/** Also a route whose parameter is empty (`/items/`): there is nothing of that name. */
function isUnrouted(request: FastifyRequest): boolean {
  if (request.is404) return true;
  const params = request.params as Record<string, string>;
  for (const name in params) if (params[name] === '') return true;
  return false;
}
