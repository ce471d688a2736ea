import type { DisabledReason } from '@items/contracts';

import type { AttemptResult } from '../sending/attempt.js';
import type { WebhookState } from '../webhooks/webhook-state.js';

/** How a receiver does: since when it fails, until when it is left alone, and whether it is given up. Times since the epoch. */
export class ReceiverHealth {
  failingSince: number | null = null;
  holdUntil: number | null = null;
  /** Why the webhook is to be disabled; undefined while it is not. */
  ending: DisabledReason | undefined;

  /** @param disableAfterMs how long it may fail without a success. */
  constructor(private readonly disableAfterMs: number) {}

  load({ failing_since: failingSince, hold_until: holdUntil }: WebhookState): void {
    this.failingSince = failingSince;
    this.holdUntil = holdUntil;
  }

  get isFailing(): boolean {
    return this.failingSince !== null;
  }

  /** Whether it has asked to be left alone. */
  isHeld(now: number): boolean {
    return this.holdUntil !== null && now < this.holdUntil;
  }

  /** Whether it has failed for too long, attempt or not. */
  isGivenUp(now: number): boolean {
    if (this.failingSince === null || now - this.failingSince < this.disableAfterMs) return false;
    this.ending ??= 'failing';
    return true;
  }

  succeed(): void {
    this.failingSince = null;
  }

  /** What its answer asks for, whatever was sent. */
  heed({ holdSeconds, gone }: AttemptResult, now: number): void {
    if (holdSeconds !== null) this.holdUntil = now + holdSeconds * 1000;
    if (gone) this.ending = 'gone';
  }

  fail(at: number, now: number): void {
    this.failingSince ??= at;
    this.isGivenUp(now);
  }
}
