import { type ApiError, HEADER, MethodNotAllowedError, RouteNotFoundError } from '@items/conventions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Cors, isPreflight, type OriginSource, Preflights } from '../request/cors.js';
import type { EdgeOptions } from '../edge-options.js';
import { generalHeaders } from '../request/general-headers.js';
import { type Lifecycle, WARM_UP_MARK } from '../connections/lifecycle.js';
import { HANDSHAKE, QUEUED_AT, type ReceivedRequest, REFUSAL, HEAD_CHECK } from '../received-request.js';
import { validateHead } from '../request/request-head.js';
import { OVERLOADED } from '../scheduling/request-queue.js';
import type { Upgrades } from '../connections/upgrades.js';
import type { RouteTable } from '../request/route-table.js';
import { sendErrorAs } from '../request/send-error.js';

export interface RequestHooksParts extends Pick<
  EdgeOptions,
  'headers' | 'versions' | 'errorFormAt' | 'maintenance' | 'basePath' | 'home' | 'logResponse'
> {
  readonly routes: RouteTable;
  readonly cors: Cors;
  readonly lifecycle: Lifecycle;
  readonly upgrades: Upgrades;
}

export interface EdgeHooks extends OriginSource {
  /** Counts a request without a route against the quota. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Returns an error that applies to every route and caller, or null. */
  refusalFor(request: FastifyRequest): ApiError | null;
  /** Checks a WebSocket handshake as a route would. @throws the error to respond with. */
  admitUpgrade(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

const NO_HOOKS: EdgeHooks = {
  admit: () => Promise.resolve(),
  refusalFor: () => null,
  admitUpgrade: () => Promise.resolve(),
};

/**
 * The first hook of each request: checks its head, sets the common response headers, and responds to requests without a
 * route (404, 405, OPTIONS). Other requests continue to the access hook.
 */
export class RequestHooks {
  private readonly preflights = new Preflights();
  private hooks = NO_HOOKS;
  private readonly overHttp: Readonly<Record<string, string>>;
  private readonly overHttps: Readonly<Record<string, string>>;

  constructor(private readonly parts: RequestHooksParts) {
    const own = { ...parts.headers, ...parts.versions?.headersOf() };
    this.overHttp = generalHeaders(own, false);
    this.overHttps = generalHeaders(own, true);
  }

  follow(hooks: EdgeHooks): void {
    this.hooks = hooks;
  }

  install(fastify: FastifyInstance): void {
    fastify.decorate('routeTable', this.parts.routes);
    fastify.addHook('onRoute', ({ method, url }) => this.parts.routes.add(method, url));
    fastify.addHook('onRequest', (request, reply, done) => {
      const preparation =
        request.raw.headers.origin === undefined ? undefined : this.parts.cors.prepare(request, this.hooks);
      if (preparation === undefined) this.enter(request, reply, done);
      else void preparation.then(() => this.enter(request, reply, done));
    });
  }

  /** Responds to requests that the router cannot parse; no hook runs for them. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.sendError(this.receive(request, reply) ?? thrown, request, reply);
  }

  private enter(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const refusal = this.receive(request, reply);
    if (refusal !== undefined) this.sendError(refusal, request, reply);
    else if ((request.raw as ReceivedRequest)[HANDSHAKE] !== undefined) void this.upgrade(request, reply);
    else if (request.is404 || hasEmptyParameter(request.params)) void this.serveUnrouted(request, reply);
    else done();
  }

  private receive(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const { versions, cors, lifecycle, maintenance, logResponse } = this.parts;
    const raw: ReceivedRequest = request.raw;
    const { headers } = raw;
    // Tests inject requests past the server, so check the head here.
    const { fault, endsConnection } = raw[HEAD_CHECK] ?? validateHead(raw);
    // Hide an invalid media type: Fastify would refuse it before the access hook; `readJson` refuses it later.
    const type = headers['content-type'];
    if (type !== undefined && type !== 'application/json' && request.mediaType === undefined)
      delete headers['content-type'];
    if (headers[WARM_UP_MARK] === undefined || !lifecycle.isWarmUp(raw)) logResponse(reply, raw[QUEUED_AT]);

    reply.header(HEADER.requestId, request.id);
    reply.headers(request.protocol === 'https' ? this.overHttps : this.overHttp);
    const requested = headers[HEADER.apiVersion];
    if (requested !== undefined && versions !== undefined && requested !== versions.current)
      reply.headers(versions.headersOf(raw));
    if (endsConnection === 'yes') reply.header('connection', 'close');
    if (cors.isOn) cors.mark(request, reply);

    const refusal = fault ?? raw[REFUSAL];
    if (refusal === undefined && maintenance?.isOn === true) return maintenance.refusalFor(raw.url ?? '');
    return refusal;
  }

  private async upgrade(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.hooks.admitUpgrade(request, reply);
      await this.parts.upgrades.guard(request, reply);
      reply.hijack();
      this.parts.upgrades.pass(request.raw);
    } catch (error) {
      this.sendError(error, request, reply);
    }
  }

  private async serveUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { hooks } = this;
    const url = request.raw.url ?? '/';
    if (!isPreflight(request)) {
      // If counting fails, for example without Redis, respond nevertheless.
      await hooks.admit(request, reply).catch(() => undefined);
    } else if (this.preflights.isTooMany(request)) {
      this.sendError(OVERLOADED, request, reply);
      return;
    }
    const isServerWide = request.method === 'CONNECT' || (request.method === 'OPTIONS' && url === '*');
    const allow = isServerWide ? this.parts.routes.allowedAnywhere() : this.parts.routes.allowedAt(url);
    if (allow === undefined) this.serveUnknown(request, reply);
    else if (request.method !== 'OPTIONS') this.sendError(new MethodNotAllowedError(allow), request, reply);
    else this.serveOptions(request, reply, allow, hooks.refusalFor(request));
  }

  /** Redirects a browser from `/` to the home page. Otherwise responds with 404. SPEC §1.1 */
  private serveUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const { method, url = '' } = request.raw;
    const { basePath, home } = this.parts;
    const isHome = home !== undefined && /^\/(\?|$)/.test(url) && (method === 'GET' || method === 'HEAD');
    if (isHome) reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
    if (isHome && takesHtml(request.headers.accept))
      reply
        .code(302)
        .header('location', basePath + home)
        .send();
    else this.sendError(new RouteNotFoundError(), request, reply);
  }

  /** OPTIONS needs no credential. It is refused only if every caller is refused. SPEC §1.1 */
  private serveOptions(request: FastifyRequest, reply: FastifyReply, allow: string, refusal: ApiError | null): void {
    if (refusal !== null) {
      this.sendError(refusal, request, reply);
      return;
    }
    this.parts.cors.markPreflight(request, reply, allow);
    reply.code(204).header('allow', allow).send();
  }

  private sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const form = this.parts.errorFormAt(request.raw.url ?? '') ?? request.routeOptions.config.errorForm;
    sendErrorAs(form, thrown, reply);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly routeTable: RouteTable;
  }
}

function takesHtml(accept = ''): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function hasEmptyParameter(params: unknown): boolean {
  for (const name in params as object) if (name !== '*' && (params as Record<string, string>)[name] === '') return true;
  return false;
}
