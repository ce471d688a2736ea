const REPEAT_MS = 60_000;
/** An outage ends after a success and this time without failures. */
const QUIET_MS = 5_000;
const CHECK_MS = 1_000;

export interface OutageWords {
  readonly begins: string;
  readonly continues: string;
  readonly ends: string;
}

export const NOT_RESPONDING: OutageWords = {
  begins: 'does not answer',
  continues: 'still does not answer',
  ends: 'answers again',
};

export interface OutageLog {
  warn(fields: object, message: string): void;
}

/** Logs an outage of a dependency: a line when it begins, one a minute, and one when it ends. */
export class Outage {
  isOn = false;
  private begunAtMs = 0;
  private lastFailureAtMs = 0;
  private loggedAtMs = 0;
  private failures = 0;
  private failuresBefore = 0;
  private failuresLogged = 0;
  private hasSucceeded = false;
  private cause: unknown;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param what Subject of the log lines, such as `The database`.
   * @param meanwhile Consequence of the outage, appended to log lines.
   */
  constructor(
    private readonly log: OutageLog,
    private readonly what: string,
    private readonly meanwhile = '',
    private readonly usualWords = NOT_RESPONDING,
  ) {}

  protected get words(): OutageWords {
    return this.usualWords;
  }

  get totalFailures(): number {
    return this.failuresBefore + this.failures;
  }

  fail(cause: unknown): void {
    const nowMs = performance.now();
    this.failures += 1;
    this.lastFailureAtMs = nowMs;
    this.hasSucceeded = false;
    this.cause = cause;
    if (this.isOn) return;
    this.isOn = true;
    this.begunAtMs = nowMs;
    this.logLine(`${this.what} ${this.words.begins}${this.meanwhile}`);
    this.timer = setInterval(() => {
      this.check(performance.now());
    }, CHECK_MS).unref();
  }

  succeed(): void {
    this.hasSucceeded = true;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(nowMs: number): void {
    if (this.hasSucceeded && nowMs - this.lastFailureAtMs >= QUIET_MS) this.end();
    else if (nowMs - this.loggedAtMs >= REPEAT_MS && this.failures > this.failuresLogged)
      this.logLine(`${this.what} ${this.words.continues}${this.meanwhile}`);
  }

  private end(): void {
    clearInterval(this.timer);
    const lastedMs = this.lastFailureAtMs - this.begunAtMs;
    this.isOn = false;
    this.log.warn({ failures: this.failures, lasted_ms: Math.round(lastedMs) }, `${this.what} ${this.words.ends}`);
    this.failuresBefore += this.failures;
    this.failures = 0;
    this.cause = undefined;
  }

  private logLine(sentence: string): void {
    this.loggedAtMs = performance.now();
    this.failuresLogged = this.failures;
    this.log.warn({ failures: this.failures, cause: reasonOf(this.cause) }, sentence);
  }
}

/** Also reads the AggregateError with an empty message that Node throws if all addresses of a host fail. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
