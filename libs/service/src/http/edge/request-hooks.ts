import { type ApiError, HEADER, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';
import { toApiError } from '@items/conventions/answer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Cors, OriginSource } from '../request/cors.js';
import type { EdgeOptions } from '../edge-options.js';
import { generalHeaders } from '../request/general-headers.js';
import { type Lifecycle, OWN_MARK } from '../connections/lifecycle.js';
import { isPreflight, Preflights } from '../request/preflights.js';
import { QUEUED_AT, type ReceivedRequest, REFUSAL, VERDICT } from '../received-request.js';
import { judgeHead } from '../request/request-head.js';
import { OVERLOADED } from '../scheduling/request-queue.js';
import type { RouteTable } from '../request/route-table.js';
import { sendErrorText } from '../request/send-error-text.js';

/** What the hooks work with. */
export interface RequestHooksParts extends Pick<
  EdgeOptions,
  'headers' | 'versions' | 'errorFormAt' | 'maintenance' | 'basePath' | 'home' | 'onAnswer'
> {
  readonly routes: RouteTable;
  readonly cors: Cors;
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
 * The first hook of each request: it judges the request as HTTP, gives its response the headers that all have, and answers what
 * no route takes (404, 405, OPTIONS). All else goes on to the access hook.
 */
export class RequestHooks {
  private readonly preflights = new Preflights();
  private hooks = NO_HOOKS;
  /** Headers of every response in the current version. */
  private readonly overHttp: Readonly<Record<string, string>>;
  private readonly overHttps: Readonly<Record<string, string>>;

  constructor(private readonly parts: RequestHooksParts) {
    const own = { ...parts.headers, ...parts.versions?.headersOf() };
    this.overHttp = generalHeaders(own, false);
    this.overHttps = generalHeaders(own, true);
  }

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
      const preparation =
        request.raw.headers.origin === undefined ? undefined : this.parts.cors.prepare(request, this.hooks);
      if (preparation === undefined) this.enter(request, reply, done);
      else
        void preparation.then(() => {
          this.enter(request, reply, done);
        });
    });
  }

  /** For the requests that the router cannot read; no hook runs for them. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.answer(this.receive(request, reply) ?? thrown, request, reply);
  }

  /** Passes on to the access hook what is not refused and has a route. */
  private enter(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const refusal = this.receive(request, reply);
    if (refusal !== undefined) this.answer(refusal, request, reply);
    else if (request.is404 || hasEmptyParameter(request.params)) void this.answerUnrouted(request, reply);
    else done();
  }

  /**
   * Makes a request what its readers expect, and gives its response the headers that all have.
   * @returns why every route refuses it, to every caller: it is malformed, there is no room for it, or there is maintenance.
   */
  private receive(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const { versions, cors, lifecycle, maintenance, onAnswer } = this.parts;
    const raw: ReceivedRequest = request.raw;
    const { headers } = raw;
    // A request that did not come through our server has no verdict: one that is injected in a test.
    const { fault, endsConnection } = raw[VERDICT] ?? judgeHead(raw);
    // Fastify would answer an unreadable media type by itself, before the access hook; the body's reader refuses it later.
    const type = headers['content-type'];
    if (type !== undefined && type !== 'application/json' && request.mediaType === undefined)
      delete headers['content-type'];
    if (headers[OWN_MARK] === undefined || !lifecycle.isOwn(raw)) onAnswer(reply, raw[QUEUED_AT]);

    reply.header(HEADER.requestId, request.id);
    reply.headers(request.protocol === 'https' ? this.overHttps : this.overHttp);
    const asked = headers[HEADER.apiVersion];
    if (asked !== undefined && versions !== undefined && asked !== versions.current)
      reply.headers(versions.headersOf(raw));
    if (endsConnection === 'yes') reply.header('connection', 'close');
    if (cors.isOn) cors.mark(request, reply);

    const refusal = fault ?? raw[REFUSAL];
    if (refusal === undefined && maintenance?.isOn === true) return maintenance.refusalFor(raw.url ?? '');
    return refusal;
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
    const { basePath, home } = this.parts;
    const isHome = home !== undefined && /^\/(\?|$)/.test(url) && (method === 'GET' || method === 'HEAD');
    if (isHome) reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
    if (isHome && takesHtml(request.headers.accept))
      reply
        .code(302)
        .header('location', basePath + home)
        .send();
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

/** As `/items/` has: there is nothing of that name. */
function hasEmptyParameter(params: unknown): boolean {
  // A wildcard matches an empty rest of the path.
  for (const name in params as object) if (name !== '*' && (params as Record<string, string>)[name] === '') return true;
  return false;
}
