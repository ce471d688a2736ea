import type { Database } from '../../data/database/database.js';

import type { WebhookState } from '../definition/webhook-state.js';
import type { Clock } from './clock.js';

/** How often a holder gives a sign of life. */
const RENEW_MS = 5000;
/** How long after the last sign of life a holder may still begin an attempt; each ends within 15 s. */
const BEGIN_MS = 14_000;
/** How long the others see no sign of life before one of them takes over: no attempt of the holder is under way then. */
const TAKE_OVER_MS = 30_000;

const TAKE = `UPDATE webhook_states SET holder = $2, beat = beat + 1, fence = fence + 1
  WHERE webhook_id = $1 AND beat = $3 RETURNING fence`;
const RENEW = 'UPDATE webhook_states SET beat = beat + 1 WHERE webhook_id = $1 AND holder = $2 RETURNING fence';
const RELEASE = 'UPDATE webhook_states SET holder = NULL, beat = beat + 1 WHERE holder = $1';

/**
 * Which webhooks this instance sends for. No clocks are compared: a holder counts from its own last sign of life, the
 * others from when they saw the last one, each by its own clock. A holder that was frozen finds, before it begins anything
 * more, that its time is over.
 */
export class Leases {
  private readonly heldSince = new Map<string, number>();
  private readonly seen = new Map<string, { readonly beat: number; readonly since: number }>();

  constructor(
    private readonly database: Database,
    /** Of this instance. */
    readonly holder: string,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  /** Whether an attempt may begin now. */
  isHeld(webhookId: string): boolean {
    const since = this.heldSince.get(webhookId);
    return since !== undefined && this.clock.monotonic() - since < BEGIN_MS;
  }

  /** Takes webhooks without a holder, or whose holder gives no sign of life; renews what is held. */
  async look(states: readonly WebhookState[]): Promise<void> {
    const known = new Set(states.map(({ webhook_id: id }) => id));
    for (const ids of [this.heldSince, this.seen]) for (const id of ids.keys()) if (!known.has(id)) ids.delete(id);
    for (const state of states) {
      if (state.holder === this.holder) await this.renew(state);
      else await this.takeOver(state);
    }
  }

  /** Gives all back: another instance goes on at once. */
  async release(): Promise<void> {
    this.heldSince.clear();
    await this.database.transaction((tx) => tx.query(RELEASE, [this.holder]));
  }

  private async renew({ webhook_id: id }: WebhookState): Promise<void> {
    const now = this.clock.monotonic();
    const since = this.heldSince.get(id);
    if (since !== undefined && now - since < RENEW_MS) return;
    const renewed = await this.database.transaction((tx) => tx.query(RENEW, [id, this.holder]));
    if (renewed.length > 0) this.heldSince.set(id, now);
    else this.heldSince.delete(id);
  }

  private async takeOver({ webhook_id: id, holder, beat }: WebhookState): Promise<void> {
    this.heldSince.delete(id);
    const now = this.clock.monotonic();
    const seen = this.seen.get(id);
    if (seen?.beat !== beat) this.seen.set(id, { beat, since: now });
    const silentMs = now - (this.seen.get(id)?.since ?? now);
    if (holder !== null && silentMs < TAKE_OVER_MS) return;
    const taken = await this.database.transaction((tx) => tx.query(TAKE, [id, this.holder, beat]));
    if (taken.length > 0) this.heldSince.set(id, now);
  }
}
