import { MethodNotAllowedError, RouteNotFoundError, type ApiError } from '@items/errors';
import { sendError, toApiError } from '@items/exception-filter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { answeredVersion } from './api-version.js';
import type { Cors } from './cors.js';
import { tidyForwarding } from './forwarding-headers.js';
import { generalHeaders } from './general-headers.js';
import type { Lifecycle } from './lifecycle.js';
import { lingerWhenClosed, mayHaveBody } from './lingering-close.js';
import { sendOauthError, speaksOauth } from './oauth-error.js';
import { connectionFault, requestFault } from './request-faults.js';
import type { RouteTable } from './route-table.js';

/** What the front door asks of the rest of the service. */
export interface FrontDoorParts {
  readonly routes: RouteTable;
  readonly cors: Cors;
  readonly lifecycle: Lifecycle;
  /** Opens the request's line in the access log. */
  readonly logAnswer: (reply: FastifyReply) => void;
}

/** What the front door asks of whoever lets requests in. */
export interface Gate {
  /** Counts a request, and sets the headers of its quota; its verdict does not matter here. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Why no route takes the request, whoever makes it. */
  refusalFor(request: FastifyRequest): ApiError | null;
}

/** What has no quota. decisions §8 */
const UNCOUNTED = /^\/(?:health|docs)\//;

/**
 * Where each request comes in: judges it as HTTP, gives its answer the headers that all have, and answers what no route
 * takes (404, 405, OPTIONS). What it lets through goes to Nest's guards.
 */
export class FrontDoor {
  constructor(private readonly parts: FrontDoorParts) {}

  /** @param fastify without any route as yet: those it gets are the ones that `Allow` names. */
  install(fastify: FastifyInstance, gate: Gate): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      this.parts.routes.add(method, url);
    });
    fastify.addHook('onRequest', (request, reply, done) => {
      const enter = (): void => {
        const fault = this.receive(request, reply);
        if (fault !== undefined) refuse(fault, request, reply);
        else if (isUnrouted(request)) void this.answerUnrouted(request, reply, gate);
        else done();
      };
      const preparation = this.parts.cors.prepare(request);
      if (preparation === undefined) enter();
      else void preparation.then(enter);
    });
  }

  /** For the requests that the router cannot read; no hook runs for them. */
  refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    refuse(this.receive(request, reply) ?? thrown, request, reply);
  }

  private receive(request: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const { raw } = request;
    tidyForwarding(raw.headers);
    this.parts.logAnswer(reply);
    reply.headers(generalHeaders(request.id, answeredVersion(raw), request.protocol === 'https'));
    if (this.parts.lifecycle.isStopping()) reply.header('connection', 'close');
    if (mayHaveBody(raw)) lingerWhenClosed(raw);
    // Fastify would answer an unreadable media type by itself, before the guards; the body's reader refuses it later.
    if (raw.headers['content-type'] !== undefined && request.mediaType === undefined)
      delete raw.headers['content-type'];
    this.parts.cors.mark(request, reply);
    const fault = connectionFault(raw);
    if (fault === undefined) return requestFault(raw);
    reply.header('connection', 'close');
    return fault;
  }

  private async answerUnrouted(request: FastifyRequest, reply: FastifyReply, gate: Gate): Promise<void> {
    const url = request.raw.url ?? '/';
    // Where it cannot be counted, for want of Redis say, it is answered all the same.
    if (!UNCOUNTED.test(url)) await gate.admit(request, reply).catch(() => undefined);
    const isServerWide = request.method === 'CONNECT' || (request.method === 'OPTIONS' && url === '*');
    const allow = isServerWide ? this.parts.routes.allowedAnywhere() : this.parts.routes.allowedAt(url);
    if (allow === undefined) refuse(new RouteNotFoundError(), request, reply);
    else if (request.method !== 'OPTIONS') refuse(new MethodNotAllowedError(allow), request, reply);
    else this.answerOptions(request, reply, allow, gate.refusalFor(request));
  }

  /** It needs no credential, and takes none where nobody may send one. decisions §1 */
  private answerOptions(request: FastifyRequest, reply: FastifyReply, allow: string, refusal: ApiError | null): void {
    if (refusal !== null) {
      refuse(refusal, request, reply);
      return;
    }
    this.parts.cors.markPreflight(request, reply, allow);
    reply.code(204).header('allow', allow).send();
  }
}

/** Below `/oauth` errors have another form, also those that nobody there has made. decisions §1 */
function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (speaksOauth(request.raw.url ?? '')) sendOauthError(toApiError(thrown), reply);
  else sendError(thrown, reply);
}

/** Also a route whose parameter is empty (`/items/`): there is nothing of that name. */
function isUnrouted(request: FastifyRequest): boolean {
  if (request.is404) return true;
  const params = request.params as Record<string, string>;
  for (const name in params) if (params[name] === '') return true;
  return false;
}
