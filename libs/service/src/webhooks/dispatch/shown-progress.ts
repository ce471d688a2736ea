import { formatTime } from '../../data/definition/column-codecs.js';
import type { Transaction } from '../../data/database/database.js';

import { lastTried } from '../deliveries/delivery-rows.js';
import type { Dispatch } from './dispatch.js';

const SHOW_MS = 1000;

export interface Shown {
  readonly upTo: string | null;
  readonly failing: number | null;
}

/** Updates `delivered_up_to` and `failing_since` of one webhook, once a second or when the webhook is disabled. */
export class ShownProgress {
  private at = -Infinity;
  private shown: Shown = { upTo: null, failing: null };
  private isStale = false;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'webhooks' | 'clock'>,
  ) {}

  /** Time of the next update on the monotonic clock; Infinity if none is due. */
  get dueAt(): number {
    return this.isStale ? this.at + SHOW_MS : Infinity;
  }

  get isIntervalOver(): boolean {
    return this.dispatch.clock.monotonic() - this.at >= SHOW_MS;
  }

  async load(): Promise<void> {
    const [row] = await this.dispatch.database.query<{ delivered_up_to: string | null; failing_since: number | null }>(
      'SELECT delivered_up_to, failing_since FROM webhooks WHERE id = $1',
      [this.webhookId],
    );
    this.shown = { upTo: row?.delivered_up_to ?? null, failing: row?.failing_since ?? null };
  }

  async write(tx: Transaction, oldestLeft: string | undefined, failing: number | null): Promise<Shown> {
    const found = (await lastTried(tx, this.webhookId, oldestLeft)) ?? null;
    const upTo = found !== null && found > (this.shown.upTo ?? '') ? found : this.shown.upTo;
    if (upTo !== this.shown.upTo || failing !== this.shown.failing) {
      const failingSince = failing === null ? null : formatTime(failing);
      const fields = { delivered_up_to: upTo, failing_since: failingSince };
      await this.dispatch.webhooks.updateKeepingTime(tx, this.webhookId, fields);
    }
    return { upTo, failing };
  }

  markStale(): void {
    this.isStale = true;
  }

  /** Call after a commit. @param shown result of {@link write}; undefined if the last write was less than a second ago. */
  onCommitted(shown: Shown | undefined): void {
    if (shown === undefined) return this.markStale();
    this.shown = shown;
    this.at = this.dispatch.clock.monotonic();
    this.isStale = false;
  }
}
