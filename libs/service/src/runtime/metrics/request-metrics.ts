import { Counter, Histogram, type Registry } from 'prom-client';

export interface EndedRequest {
  readonly method: string;
  /** The pattern that the router matched, `/items/:id`, never the path. */
  readonly route: string | undefined;
  /** Undefined if the response was not sent completely. */
  readonly status: number | undefined;
  /** Kind of the valid credential, never its id. */
  readonly credential: string | undefined;
  readonly seconds: number;
}

/** Clients may send any method; only these methods have their own label value. RFC 9110 §9.1 */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Labels have few values: otherwise each invented path would create a permanent series, here and in Prometheus. */
export class RequestMetrics {
  private readonly ended: Counter;
  private readonly duration: Histogram;

  constructor(registry: Registry, prefix: string) {
    const registers = [registry];
    this.ended = new Counter({
      name: `${prefix}_http_requests_total`,
      help: 'Requests that have ended, by status of the response (none: the client disconnected first).',
      labelNames: ['method', 'route', 'status', 'credential'],
      registers,
    });
    this.duration = new Histogram({
      name: `${prefix}_http_request_duration_seconds`,
      help: 'From the head of a request to the end of its response, in seconds.',
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
