import { ServiceUnavailableError } from '@items/errors';

import { UNCOUNTED_PREFIXES } from './path-prefixes.js';

/** Whether the service answers everything with 503 for a time, and says when to come again. */
export class Maintenance {
  private seconds: number | undefined;

  /** @param configuredSeconds undefined where the database alone decides. */
  constructor(private readonly configuredSeconds: number | undefined) {
    this.seconds = configuredSeconds;
  }

  /** What the database says: the value of `Retry-After`, or that there is no maintenance. */
  set(seconds: number | undefined): void {
    this.seconds = this.configuredSeconds ?? seconds;
  }

  refusalFor(target: string): ServiceUnavailableError | undefined {
    if (this.seconds === undefined || isOpen(target)) return undefined;
    return new ServiceUnavailableError('maintenance', 'The service is down for maintenance. Try again later.', {
      retryAfterSeconds: this.seconds,
    });
  }
}

/** Answered in any case: balancers are to pass the 503 on, and people to read what to expect. */
function isOpen(target: string): boolean {
  const path = target.split('?', 1)[0] ?? '';
  return UNCOUNTED_PREFIXES.some((prefix) => `${path}/`.startsWith(prefix));
}
