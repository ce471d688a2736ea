import type { Database } from '../../data/database/database.js';

import type { WebhookState } from '../definition/webhook-state.js';
import type { Clock } from './dispatch.js';

const RENEW_MS = 5000;
/** A holder begins attempts only for this time after its last renewal. Each attempt ends within 15 s. */
const BEGIN_MS = 14_000;
/** Another instance takes over after this time without a renewal. By then, no attempt of the holder is in progress. */
const TAKE_OVER_MS = 30_000;

const TAKE = `UPDATE webhook_states SET holder = $2, beat = beat + 1, fence = fence + 1
  WHERE webhook_id = $1 AND beat = $3 RETURNING fence`;
const RENEW = 'UPDATE webhook_states SET beat = beat + 1 WHERE webhook_id = $1 AND holder = $2 RETURNING fence';
const RELEASE = 'UPDATE webhook_states SET holder = NULL, beat = beat + 1 WHERE holder = $1';

/**
 * Needs no synchronized clocks: a holder measures the time since its last renewal, other instances the time since they
 * saw that renewal. A holder that was frozen finds its lease expired before it begins an attempt.
 */
export class Leases {
  private readonly heldSince = new Map<string, number>();
  private readonly seen = new Map<string, { readonly beat: number; readonly since: number }>();

  constructor(
    private readonly database: Database,
    readonly holder: string,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {}

  isHeld(webhookId: string): boolean {
    const since = this.heldSince.get(webhookId);
    return since !== undefined && this.clock.monotonic() - since < BEGIN_MS;
  }

  /** Renews the leases of this instance. Takes leases without a holder or recent renewal. */
  async takeOrRenew(states: readonly WebhookState[]): Promise<void> {
    const known = new Set(states.map(({ webhook_id: id }) => id));
    for (const ids of [this.heldSince, this.seen]) for (const id of ids.keys()) if (!known.has(id)) ids.delete(id);
    for (const state of states) {
      if (state.holder === this.holder) await this.renew(state);
      else await this.takeOver(state);
    }
  }

  /** Call at a stop, so that other instances need not wait 30 s. */
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
