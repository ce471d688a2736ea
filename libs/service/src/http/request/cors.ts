import type { FastifyReply, FastifyRequest } from 'fastify';

import { MAX_PREFLIGHTS_A_SECOND } from '../limits.js';
import { CLIENT_PAGE, type ReceivedRequest } from '../received-request.js';
import { networkOf } from './network-of.js';

const EXPOSED = ['ETag', 'Idempotent-Replayed', 'Link', 'Location', 'Retry-After', 'X-Request-Id'];

/** Request headers that pages may send, besides those that the Fetch standard always allows. */
const ALLOWED = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id'];

const PREFLIGHT_CACHE_SECONDS = 600;

export interface CorsOptions {
  /** Origins as browsers write them in `Origin`. Default: none. */
  readonly origins?: readonly string[];
  readonly exposed?: readonly string[];
  readonly allowed?: readonly string[];
  /** Returns whether pages of all OAuth clients may read the response, whatever the credential. Default: false. */
  readonly isOpenToClients?: (request: FastifyRequest) => boolean;
}

export interface MoreOrigins {
  readonly open: ReadonlySet<string>;
  /** Ids of OAuth clients by the origin of their pages. A page may read responses to requests of its clients. */
  readonly clients: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface OriginSource {
  /** Called for each request from a page whose origin is not in {@link CorsOptions}. SPEC §1.2 */
  moreOrigins?(): Promise<MoreOrigins>;
}

const NO_ORIGINS: MoreOrigins = { open: new Set(), clients: new Map() };

export function shareWithClient({ raw }: FastifyRequest, reply: FastifyReply, clientId: string): void {
  const { [CLIENT_PAGE]: page } = raw as ReceivedRequest;
  if (page?.clientIds.has(clientId) === true) reply.headers(page.headers);
}

export function shareWithAnyClient({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { [CLIENT_PAGE]: page } = raw as ReceivedRequest;
  if (page !== undefined) reply.headers(page.headers);
}

/**
 * Decides by origin which pages may read responses. The service uses no cookies for its API, so it never allows
 * credentials in the sense of CORS. SPEC §1.2, Fetch standard "HTTP-CORS protocol"
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;
  private readonly exposed: string;
  private readonly allowed: string;
  private readonly isOpenToClients: (request: FastifyRequest) => boolean;
  private more = NO_ORIGINS;
  /** Read-only from outside. */
  isOn: boolean;

  constructor({ origins = [], exposed = EXPOSED, allowed = ALLOWED, isOpenToClients = () => false }: CorsOptions) {
    this.isOpenToClients = isOpenToClients;
    this.origins = new Set(origins);
    this.exposed = exposed.join(', ');
    this.allowed = allowed.join(', ');
    this.isOn = origins.length > 0;
  }

  /** Loads {@link more} if {@link origins} lacks the `Origin`. @returns undefined if it loads nothing. */
  prepare(request: FastifyRequest, source: OriginSource): Promise<void> | undefined {
    const { origin } = request.raw.headers;
    if (origin === undefined || this.origins.has(origin)) return undefined;
    // If the database is down, the last loaded origins apply.
    return source.moreOrigins?.().then(
      (more) => {
        this.more = more;
        this.isOn = this.origins.size > 0 || more.open.size > 0 || more.clients.size > 0;
      },
      () => undefined,
    );
  }

  /**
   * Allows pages of open origins to read the response. For a page of OAuth clients, stores the client ids:
   * authentication then decides whether the page may read.
   */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    // Set `Vary` even without an Origin, so that a cache does not serve this response to a page.
    reply.header('vary', 'Origin');
    const { origin } = request.raw.headers;
    if (origin === undefined) return;
    const headers = { 'access-control-allow-origin': origin, 'access-control-expose-headers': this.exposed };
    if (this.isOpen(origin)) {
      reply.headers(headers);
      return;
    }
    const clientIds = this.more.clients.get(origin);
    if (clientIds === undefined) return;
    (request.raw as ReceivedRequest)[CLIENT_PAGE] = { clientIds, headers };
    if (this.isOpenToClients(request)) reply.headers(headers);
  }

  markPreflight(request: FastifyRequest, reply: FastifyReply, allow: string): void {
    if (!isPreflight(request) || !reply.hasHeader('access-control-allow-origin')) return;
    reply.header('access-control-allow-methods', allow);
    reply.header('access-control-allow-headers', this.allowed);
    reply.header('access-control-max-age', String(PREFLIGHT_CACHE_SECONDS));
    reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  }

  private isOpen(origin: string): boolean {
    return this.origins.has(origin) || this.more.open.has(origin);
  }
}

const WINDOW_MS = 1000;

/** See "CORS-preflight request" in the Fetch standard. */
export function isPreflight({ method, raw: { headers } }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/**
 * Limits the preflights of each network, per process. They count in no quota: browsers send them without a credential,
 * so the browsers of an office would use up the quota of its address. SPEC §1.2
 */
export class Preflights {
  private counts = new Map<string, number>();
  private beganAtMs = -Infinity;

  isTooMany({ ip }: FastifyRequest): boolean {
    const nowMs = performance.now();
    if (nowMs - this.beganAtMs >= WINDOW_MS) {
      this.beganAtMs = nowMs;
      this.counts = new Map();
    }
    const address = networkOf(ip);
    const count = (this.counts.get(address) ?? 0) + 1;
    this.counts.set(address, count);
    return count > MAX_PREFLIGHTS_A_SECOND;
  }
}
