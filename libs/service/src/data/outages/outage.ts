/** How often an outage that goes on is said again. */
const REPEAT_MS = 60_000;
/** How long nothing must fail until an outage is over: one that comes and goes is one outage. */
const QUIET_MS = 5_000;
const LOOK_MS = 1_000;

/** What is said of it, each as the rest of a sentence. */
export interface OutageWords {
  readonly begins: string;
  readonly goesOn: string;
  readonly ends: string;
}

/** Of what does not answer. */
export const UNANSWERED: OutageWords = {
  begins: 'does not answer',
  goesOn: 'still does not answer',
  ends: 'answers again',
};

/** Writes a line of the log. */
export type Say = (fields: object, message: string) => void;

/**
 * Tells of something that the service needs and that fails, without a line for each failure: one when that begins, one a
 * minute while it goes on, and one when it is over, with the number of failures.
 */
export class Outage {
  /** Whether it has failed, and has not been well for some time since. */
  isOn = false;
  private begunAtMs = 0;
  private lastFailureAtMs = 0;
  private saidAtMs = 0;
  private failures = 0;
  private failuresBefore = 0;
  private failuresSaid = 0;
  private hasSucceeded = false;
  private cause: unknown;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param what is needed, in words that begin a sentence: `The database`.
   * @param meanwhile what is done without it, as the end of a sentence; empty where nothing is.
   * @param words for what does answer, and yet fails.
   */
  constructor(
    private readonly say: Say,
    private readonly what: string,
    private readonly meanwhile = '',
    private readonly usualWords = UNANSWERED,
  ) {}

  protected get words(): OutageWords {
    return this.usualWords;
  }

  /** Failures since the process began. */
  get failuresInAll(): number {
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
    this.sayThat(`${this.what} ${this.words.begins}${this.meanwhile}`);
    this.timer = setInterval(() => {
      this.look(performance.now());
    }, LOOK_MS).unref();
  }

  /** Matters in an outage alone. */
  succeed(): void {
    this.hasSucceeded = true;
  }

  /** For the end of the process, and of a test. */
  stop(): void {
    clearInterval(this.timer);
  }

  private look(nowMs: number): void {
    if (this.hasSucceeded && nowMs - this.lastFailureAtMs >= QUIET_MS) this.end();
    else if (nowMs - this.saidAtMs >= REPEAT_MS && this.failures > this.failuresSaid)
      this.sayThat(`${this.what} ${this.words.goesOn}${this.meanwhile}`);
  }

  private end(): void {
    clearInterval(this.timer);
    const lastedMs = this.lastFailureAtMs - this.begunAtMs;
    this.isOn = false;
    this.say({ failures: this.failures, lasted_ms: Math.round(lastedMs) }, `${this.what} ${this.words.ends}`);
    this.failuresBefore += this.failures;
    this.failures = 0;
    this.cause = undefined;
  }

  private sayThat(sentence: string): void {
    this.saidAtMs = performance.now();
    this.failuresSaid = this.failures;
    this.say({ failures: this.failures, cause: reasonOf(this.cause) }, sentence);
  }
}

/** A host with several addresses fails with one error for each, and no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
