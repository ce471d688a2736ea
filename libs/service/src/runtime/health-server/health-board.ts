import { goodAnswer, type HealthAnswer, unavailable } from './health-answer.js';

/** A process that has not been heard of for so long is not ready: what it said last may be no longer true. */
export const STALE_MS = 5_000;
/** When none has been heard of for so long, a restart is what helps. */
export const BLOCKED_MS = 30_000;

const LIVE = goodAnswer({ status: 'ok' });
const STARTING = unavailable('The service is starting.');
const SILENT = unavailable('The service has not answered for some seconds.');
const BLOCKED = unavailable('The service has not answered for a long time: it wants a restart.');

interface Told {
  readonly answer: HealthAnswer;
  readonly atMs: number;
}

/**
 * The last report of each serving process, and what follows from it. One that is ready is enough: all of them share the
 * port that requests go to. ADR 45
 */
export class HealthBoard {
  private readonly told = new Map<number, Told>();
  /** Undefined until one of them serves: a start may take as long as its migrations, which may block. */
  private heardAtMs: number | undefined;

  /** @param now milliseconds of a monotonic clock. */
  constructor(private readonly now = () => performance.now()) {}

  /** A sign of life. @param source which process it is. @param answer what it would say of its readiness. */
  tell(source: number, answer: HealthAnswer): void {
    this.heardAtMs = this.now();
    this.told.set(source, { answer, atMs: this.heardAtMs });
  }

  /** Of a process that is gone. */
  forget(source: number): void {
    this.told.delete(source);
  }

  live(): HealthAnswer {
    return this.heardAtMs !== undefined && this.now() - this.heardAtMs > BLOCKED_MS ? BLOCKED : LIVE;
  }

  ready(): HealthAnswer {
    const nowMs = this.now();
    const fresh = [...this.told.values()].filter(({ atMs }) => nowMs - atMs <= STALE_MS).map(({ answer }) => answer);
    const silence = this.heardAtMs === undefined ? STARTING : SILENT;
    return fresh.find(({ status }) => status === 200) ?? fresh.at(-1) ?? silence;
  }
}
