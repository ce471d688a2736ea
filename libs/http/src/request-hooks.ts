import { type ApiError, HEADER, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';
import { toApiError } from '@items/conventions/answer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Connections, TOO_MANY_CONNECTIONS } from './connections.js';
import type { Cors, OriginSource } from './cors.js';
import type { EdgeOptions } from './edge-options.js';
import { tidyForwarding } from './forwarding-headers.js';
import { sharedHeaders } from './general-headers.js';
import type { Lifecycle } from './lifecycle.js';
import { lingerWhenClosed, mayHaveBody } from './lingering-close.js';
import { isPreflight, Preflights } from './preflights.js';
import { connectionFault, isUpgrade, requestFault } from './request-faults.js';
import { isRefused, queuedAt } from './queued-request.js';
import { OVERLOADED } from './request-queue.js';
import type { RouteTable } from './route-table.js';
import { sendErrorText } from './send-error-text.js';
import { onResponseClose } from './on-response-close.js';

/** What the hooks work with. */
export interface RequestHooksParts extends Pick<
  EdgeOptions,
  'ownHeaders' | 'errorFormAt' | 'refusalFor' | 'alwaysAnswered' | 'home' | 'onAnswer'
> {
  readonly routes: RouteTable;
  readonly cors: Cors;
  readonly connections: Connections;
  readonly lifecycle: Lifecycle;
}

/** What an application has to say of requests before a route does. */
export interface EdgeHooks extends OriginSource {
  /** Counts a request that no route takes, unless it is a CORS preflight, and sets the headers of its quota; the outcome does not matter here. */
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
  private readonly preflights = new Preflights();
  private hooks = NO_HOOKS;

  constructor(private readonly parts: RequestHooksParts) {}

  /** @param hooks what the application has to say of requests before a route does. */
  follow(hooks: EdgeHooks): void {
    this.hooks = hooks;
  }

  /** @param fastify without any route as yet: those it gets are the ones that `Allow` names. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      this.parts.routes.add(method, url);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const enter = (): void => {
        const fault = this.receive(request, reply);
        if (fault !== undefined) this.answer(fault, request, reply);
        else if (isUnrouted(request)) void this.answerUnrouted(request, reply);
        else done();
      };
      const preparation = this.parts.cors.prepare(request, this.hooks);
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
    if (hear !== undefined) onResponseClose(reply.raw, hear);
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

  private async answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { hooks } = this;
    const url = request.raw.url ?? '/';
    if (!isPreflight(request)) {
      // Where it cannot be counted, for want of Redis say, it is answered all the same.
      await hooks.admit(request, reply).catch(() => undefined);
    } else if (this.preflights.isTooMany(request)) {
      this.answer(OVERLOADED, request, reply);
      return;
    }
    const isServerWide = request.method === 'CONNECT' || (request.method === 'OPTIONS' && url === '*');
    const allow = isServerWide ? this.parts.routes.allowedAnywhere() : this.parts.routes.allowedAt(url);
    if (allow === undefined) this.answerUnknown(request, reply);
    else if (request.method !== 'OPTIONS') this.answer(new MethodNotAllowedError(allow), request, reply);
    else this.answerOptions(request, reply, allow, hooks.refusalFor(request));
  }

  /** A browser at `/` is led to the home of the service; there is nothing else at an unknown path. SPEC §1.1 */
  private answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const { method, url = '' } = request.raw;
    const isHome = this.parts.home !== undefined && /^\/(\?|$)/.test(url) && (method === 'GET' || method === 'HEAD');
    if (isHome) reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
    if (isHome && takesHtml(request.headers.accept)) reply.code(302).header('location', this.parts.home).send();
    else this.answer(new RouteNotFoundError(), request, reply);
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

/** Whether `Accept` names `text/html`, as browsers do; any type is no such wish. */
function takesHtml(accept = ''): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
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
