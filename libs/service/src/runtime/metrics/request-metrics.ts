import { Counter, Histogram, type Registry } from 'prom-client';

/** A request that is over. */
export interface EndedRequest {
  readonly method: string;
  /** The template that the router matched, `/items/:id`, never the path that was asked for; undefined: none. */
  readonly route: string | undefined;
  /** Undefined where the client left before it was answered. */
  readonly status: number | undefined;
  /** What kind of credential was valid, never which one; undefined without one. */
  readonly credential: string | undefined;
  readonly seconds: number;
}

/** Those that have a label of their own; a client may send any word. RFC 9110 §9.1 */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** From a read that is at hand to what is given up; in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Counts requests. Every label has few values, whatever clients send: otherwise each invented path would be a series
 * that is kept for ever, here and in Prometheus.
 */
export class RequestMetrics {
  private readonly ended: Counter;
  private readonly duration: Histogram;

  /** @param prefix of the names, `items`. */
  constructor(registry: Registry, prefix: string) {
    const registers = [registry];
    this.ended = new Counter({
      name: `${prefix}_http_requests_total`,
      help: 'Requests that are over, by the status of their answers (none: the client left first).',
      labelNames: ['method', 'route', 'status', 'credential'],
      registers,
    });
    this.duration = new Histogram({
      name: `${prefix}_http_request_duration_seconds`,
      help: 'From the head of a request to the end of its answer, in seconds.',
      labelNames: ['method', 'route'],
      buckets: BUCKETS,
      registers,
    });
  }

  count({ method: sent, route = 'unrouted', status, credential = 'none', seconds }: EndedRequest): void {
    const method = METHODS.has(sent) ? sent : 'other';
    this.ended.inc({ method, route, status: status ?? 'none', credential });
    this.duration.observe({ method, route }, seconds);
  }
}
