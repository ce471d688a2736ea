import type { FastifyRequest } from 'fastify';

import { MAX_PREFLIGHTS_A_SECOND } from '../limits.js';
import { networkOf } from './network-of.js';

const WINDOW_MS = 1000;

/** See "CORS-preflight request" in the Fetch standard. */
export function isPreflight({ method, raw: { headers } }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/**
 * Limits the preflights of each network in this process. They count in no quota: browsers send them without a
 * credential, so the pages of an office would use up the quota of its address. SPEC §1.2
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
