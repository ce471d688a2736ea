import type { FastifyReply, FastifyRequest } from 'fastify';

import { isPreflight } from './preflights.js';

/** What pages may read of answers, where an application says nothing else. */
const EXPOSED = ['ETag', 'Idempotent-Replayed', 'Link', 'Location', 'Retry-After', 'X-Request-Id'];

/** What a page may send beside the headers that every page may, where an application says nothing else. */
const ALLOWED = ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id'];

const PREFLIGHT_CACHE_SECONDS = 600;

/** Who may read answers from a page, and what of them. */
export interface CorsOptions {
  /** As browsers write them in `Origin`; CORS is off where there are none. */
  readonly origins?: readonly string[];
  /** Names of headers that pages may read. */
  readonly exposed?: readonly string[];
  /** Names of headers that pages may send. */
  readonly allowed?: readonly string[];
}

/** Origins beside those of {@link CorsOptions}. */
export interface OriginSource {
  /** They come and go: asked for each request from a page of an origin that is not known. SPEC §1.2 */
  moreOrigins?(): Promise<ReadonlySet<string>>;
}

/**
 * Which pages may read answers: those of some origins. No cookies are taken, so credentials in the sense of
 * CORS are never allowed. An application may ask for more origins, which come and go.
 * @see SPEC §1.2, Fetch standard "HTTP-CORS protocol"
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;
  private readonly exposed: string;
  private readonly allowed: string;
  private more: ReadonlySet<string> = new Set();
  /** Whether there is any origin whose pages may read answers; written here only. */
  isOn: boolean;

  constructor({ origins = [], exposed = EXPOSED, allowed = ALLOWED }: CorsOptions) {
    this.origins = new Set(origins);
    this.exposed = exposed.join(', ');
    this.allowed = allowed.join(', ');
    this.isOn = origins.length > 0;
  }

  /**
   * Whatever must be known before the request of a page is answered; undefined where nothing is to be waited for.
   * @param source of more origins.
   */
  prepare(request: FastifyRequest, source: OriginSource): Promise<void> | undefined {
    const { origin } = request.raw.headers;
    if (origin === undefined || this.origins.has(origin)) return undefined;
    // Without the database, the last known ones count.
    return source.moreOrigins?.().then(
      (origins) => {
        this.more = origins;
        this.isOn = this.origins.size > 0 || origins.size > 0;
      },
      () => undefined,
    );
  }

  /** Marks an answer as readable by the page that asked, if it may. Called where CORS {@link isOn}. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    // Also where there is no Origin: a cache must not hand this answer to a page.
    reply.header('vary', 'Origin');
    const { origin } = request.raw.headers;
    if (origin === undefined || !this.allows(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', this.exposed);
  }

  /** Answers a preflight: what may be sent to a path that serves the methods of `allow`. */
  markPreflight(request: FastifyRequest, reply: FastifyReply, allow: string): void {
    const { origin } = request.raw.headers;
    if (!isPreflight(request) || origin === undefined || !this.allows(origin)) return;
    reply.header('access-control-allow-methods', allow);
    reply.header('access-control-allow-headers', this.allowed);
    reply.header('access-control-max-age', String(PREFLIGHT_CACHE_SECONDS));
    reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  }

  private allows(origin: string): boolean {
    return this.origins.has(origin) || this.more.has(origin);
  }
}
