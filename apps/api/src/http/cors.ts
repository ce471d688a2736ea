import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED = [
  'Api-Version',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** What a page may send beside the headers that every page may. */
const ALLOWED = [
  'Api-Version',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-API-Key',
  'X-Request-Id',
].join(', ');

const PREFLIGHT_CACHE_SECONDS = 600;

/**
 * Which pages may read answers: those of `CORS_ORIGINS`. The service takes no cookies, so credentials in the sense of
 * CORS are never allowed. The origins that stand in the `allowed_origins` of a key widen what is allowed.
 * @see decisions §1, Fetch standard "HTTP-CORS protocol"
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;
  private ofKeys: ReadonlySet<string> = new Set();
  private askForKeys: (() => Promise<ReadonlySet<string>>) | undefined;

  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
  }

  /** @param origins asks for those of keys, which come and go. */
  alsoAllow(origins: () => Promise<ReadonlySet<string>>): void {
    this.askForKeys = origins;
  }

  /** Whatever must be known before a request is answered; undefined where nothing is to be waited for. */
  prepare(request: FastifyRequest): Promise<void> | undefined {
    const { origin } = request.raw.headers;
    if (origin === undefined || this.origins.has(origin) || this.askForKeys === undefined) return undefined;
    // Without the database, the last known ones count.
    return this.askForKeys().then(
      (origins) => {
        this.ofKeys = origins;
      },
      () => undefined,
    );
  }

  /** Marks an answer as readable by the page that asked, if it may. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    if (this.origins.size === 0 && this.ofKeys.size === 0) return;
    // Also where there is no Origin: a cache must not hand this answer to a page.
    reply.header('vary', 'Origin');
    const { origin } = request.raw.headers;
    if (origin === undefined || !this.allows(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', EXPOSED);
  }

  /** Answers a preflight: what may be sent to a path that serves the methods of `allow`. */
  markPreflight(request: FastifyRequest, reply: FastifyReply, allow: string): void {
    const { headers } = request.raw;
    const isPreflight = headers['access-control-request-method'] !== undefined;
    if (!isPreflight || headers.origin === undefined || !this.allows(headers.origin)) return;
    reply.header('access-control-allow-methods', allow);
    reply.header('access-control-allow-headers', ALLOWED);
    reply.header('access-control-max-age', String(PREFLIGHT_CACHE_SECONDS));
    reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  }

  private allows(origin: string): boolean {
    return this.origins.has(origin) || this.ofKeys.has(origin);
  }
}
