import type { DisabledReason } from '@items/dtos/contract';

import type { AttemptResult } from '../sending/attempt.js';
import type { WebhookState } from '../definition/webhook-state.js';

/** After `disableAfterMs` divided by this number without a failure, the next failure begins a new period. SPEC §6.2 */
const PAUSE_PART = 4;

/** Health of a receiver. Times are in milliseconds since the epoch. */
export class ReceiverHealth {
  failingSince: number | null = null;
  failedAt: number | null = null;
  holdUntil: number | null = null;
  /** Reason to disable the webhook; undefined if it stays enabled. */
  disableReason: DisabledReason | undefined;

  /** @param disableAfterMs maximum duration of continuous failure. */
  constructor(private readonly disableAfterMs: number) {}

  restore({ failing_since: failingSince, failed_at: failedAt, hold_until: holdUntil }: WebhookState): void {
    this.failingSince = failingSince;
    this.failedAt = failedAt;
    this.holdUntil = holdUntil;
  }

  get isFailing(): boolean {
    return this.failingSince !== null;
  }

  isOnHold(now: number): boolean {
    return this.holdUntil !== null && now < this.holdUntil;
  }

  /** Call after a success, or when no delivery waits any more. */
  reset(): void {
    this.failingSince = null;
    this.failedAt = null;
  }

  /** Applies `Retry-After` and 410 from any kind of attempt. */
  applyResponse({ holdSeconds, gone }: AttemptResult, now: number): void {
    if (holdSeconds !== null) this.holdUntil = now + holdSeconds * 1000;
    if (gone) this.disableReason = 'gone';
  }

  /** Only a failed attempt disables the webhook, not the passage of time. @param at start of the attempt. */
  addFailure(at: number, now: number): void {
    const isAfterPause = this.failedAt === null || at - this.failedAt > this.disableAfterMs / PAUSE_PART;
    if (this.failingSince === null || isAfterPause) this.failingSince = at;
    this.failedAt = Math.max(this.failedAt ?? at, at);
    if (now - this.failingSince >= this.disableAfterMs) this.disableReason ??= 'failing';
  }
}
