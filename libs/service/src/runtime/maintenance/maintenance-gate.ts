import { ServiceUnavailableError } from '@items/conventions';

/** Answers all requests with 503 and `Retry-After` during maintenance. */
export class Maintenance {
  /** Only this class writes it. A field, because every request reads it. */
  isOn = false;
  private seconds: number | undefined;

  /**
   * @param configuredSeconds undefined: only the database decides.
   * @param openPrefixes prefixes of paths that are served during maintenance, with a trailing slash.
   */
  constructor(
    private readonly configuredSeconds: number | undefined,
    private readonly openPrefixes: readonly string[],
  ) {
    this.set(undefined);
  }

  /** Sets the state from the database: the value of `Retry-After`, or undefined without maintenance. */
  set(seconds: number | undefined): void {
    this.seconds = this.configuredSeconds ?? seconds;
    this.isOn = this.seconds !== undefined;
  }

  refusalFor(target: string): ServiceUnavailableError | undefined {
    if (this.seconds === undefined || this.isOpen(target)) return undefined;
    return new ServiceUnavailableError('maintenance', 'The service is down for maintenance. Try again later.', {
      retryAfterSeconds: this.seconds,
    });
  }

  /** Health checks and documentation stay available: balancers should pass on the 503. */
  private isOpen(target: string): boolean {
    const path = target.split('?', 1)[0] ?? '';
    return this.openPrefixes.some((prefix) => `${path}/`.startsWith(prefix));
  }
}
