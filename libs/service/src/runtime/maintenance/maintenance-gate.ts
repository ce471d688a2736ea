import { ServiceUnavailableError } from '@items/conventions';

/** Whether the service answers everything with 503 for a time, and says when to come again. */
export class Maintenance {
  /** Written here only: each request looks at it. */
  isOn = false;
  private seconds: number | undefined;

  /**
   * @param configuredSeconds undefined where the database alone decides.
   * @param openPrefixes how the paths begin that are answered in any case, with a slash at their end.
   */
  constructor(
    private readonly configuredSeconds: number | undefined,
    private readonly openPrefixes: readonly string[],
  ) {
    this.set(undefined);
  }

  /** What the database says: the value of `Retry-After`, or that there is no maintenance. */
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

  /** Answered in any case: balancers are to pass the 503 on, and people to read what to expect. */
  private isOpen(target: string): boolean {
    const path = target.split('?', 1)[0] ?? '';
    return this.openPrefixes.some((prefix) => `${path}/`.startsWith(prefix));
  }
}
