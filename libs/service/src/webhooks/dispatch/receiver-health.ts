import type { DisabledReason } from '@items/dtos/contract';

import type { AttemptResult } from '../sending/attempt.js';
import type { WebhookState } from '../definition/webhook-state.js';

/** A longer pause between two attempts says nothing of the receiver: this part of the time after which it is given up. */
const PAUSE_PART = 4;

/** How a receiver does: since when it fails, until when it is left alone, and whether it is given up. Times since the epoch. */
export class ReceiverHealth {
  /** Since when every attempt has failed. */
  failingSince: number | null = null;
  /** The last attempt that failed since then. */
  failedAt: number | null = null;
  holdUntil: number | null = null;
  /** Why the webhook is to be disabled; undefined while it is not. */
  ending: DisabledReason | undefined;

  /** @param disableAfterMs how long it may fail without a success. */
  constructor(private readonly disableAfterMs: number) {}

  load({ failing_since: failingSince, failed_at: failedAt, hold_until: holdUntil }: WebhookState): void {
    this.failingSince = failingSince;
    this.failedAt = failedAt;
    this.holdUntil = holdUntil;
  }

  get isFailing(): boolean {
    return this.failingSince !== null;
  }

  /** Whether it has asked to be left alone. */
  isHeld(now: number): boolean {
    return this.holdUntil !== null && now < this.holdUntil;
  }

  /** An attempt has arrived, or no delivery waits any more. */
  clear(): void {
    this.failingSince = null;
    this.failedAt = null;
  }

  /** What its answer asks for, whatever was sent. */
  heed({ holdSeconds, gone }: AttemptResult, now: number): void {
    if (holdSeconds !== null) this.holdUntil = now + holdSeconds * 1000;
    if (gone) this.ending = 'gone';
  }

  /** An attempt has failed: the only moment at which it may be given up. @param at when the attempt began. */
  fail(at: number, now: number): void {
    const isAfterPause = this.failedAt === null || at - this.failedAt > this.disableAfterMs / PAUSE_PART;
    if (this.failingSince === null || isAfterPause) this.failingSince = at;
    this.failedAt = Math.max(this.failedAt ?? at, at);
    if (now - this.failingSince >= this.disableAfterMs) this.ending ??= 'failing';
  }
}
