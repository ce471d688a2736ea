import { ServiceUnavailableError } from '@items/conventions';

export class Maintenance {
  /** A getter would be slower, and every request reads this field. Only this class writes it. */
  isOn = false;
  private seconds: number | undefined;

  /**
   * @param configuredSeconds undefined: maintenance is set only in the database.
   * @param openPrefixes paths that are served during maintenance, with a trailing slash.
   */
  constructor(
    private readonly configuredSeconds: number | undefined,
    private readonly openPrefixes: readonly string[],
  ) {
    this.set(undefined);
  }

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

  /** Health checks and documentation stay available: balancers must keep routing, so that clients get the 503. */
  private isOpen(target: string): boolean {
    const path = target.split('?', 1)[0] ?? '';
    return this.openPrefixes.some((prefix) => `${path}/`.startsWith(prefix));
  }
}
