import type { Outcome } from './job.js';
import { MAX_AT_ONCE } from './schedule.js';

/** Outcomes that are not written yet: beyond that many nothing is begun. */
export const MAX_UNWRITTEN = 50;

/** The attempts of one webhook that are under way, and the outcomes that are not written yet. */
export class UnderWay {
  private readonly busy = new Set<string>();
  private unwritten: Outcome[] = [];

  /** Attempts that are under way. */
  get size(): number {
    return this.busy.size;
  }

  /** Oldest first. */
  get outcomes(): readonly Outcome[] {
    return this.unwritten;
  }

  get isFull(): boolean {
    return this.busy.size >= MAX_AT_ONCE || this.unwritten.length >= MAX_UNWRITTEN;
  }

  /** Whether an attempt for this event is under way. */
  isBusy(eventId: string): boolean {
    return this.busy.has(eventId);
  }

  /** The same, or its outcome is not written. */
  has(eventId: string): boolean {
    return this.busy.has(eventId) || this.unwritten.some(({ job }) => job.eventId === eventId);
  }

  begin(eventId: string): void {
    this.busy.add(eventId);
  }

  end(eventId: string): void {
    this.busy.delete(eventId);
  }

  add(outcome: Outcome): void {
    this.unwritten.push(outcome);
  }

  /** The first outcomes are written. */
  written(count: number): void {
    this.unwritten.splice(0, count);
  }

  /** Another instance sends by now: what has become of attempts is not for this one to write. */
  forgetOutcomes(): void {
    this.unwritten = [];
  }
}
