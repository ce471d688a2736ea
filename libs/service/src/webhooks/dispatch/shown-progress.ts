import { formatTime } from '../../data/definition/column-codecs.js';
import type { Transaction } from '../../data/database/database.js';

import { lastTried } from '../deliveries/delivery-rows.js';
import type { Dispatch } from './dispatch.js';

/** How often what the webhook shows is brought up to date at most. */
const SHOW_MS = 1000;

/** What a webhook shows of its progress. */
export interface Shown {
  readonly upTo: string | null;
  /** Milliseconds since the epoch. */
  readonly failing: number | null;
}

/** Keeps `delivered_up_to` and `failing_since` of one webhook up to date, not more often than once a second. */
export class ShownProgress {
  private at = -Infinity;
  private shown: Shown = { upTo: null, failing: null };
  private isStale = false;

  constructor(
    private readonly webhookId: string,
    private readonly dispatch: Pick<Dispatch, 'database' | 'webhooks' | 'clock'>,
  ) {}

  /** When it is to be written, on the monotonic clock; Infinity where all is shown. */
  get dueAt(): number {
    return this.isStale ? this.at + SHOW_MS : Infinity;
  }

  get isTime(): boolean {
    return this.dispatch.clock.monotonic() - this.at >= SHOW_MS;
  }

  async load(): Promise<void> {
    const [row] = await this.dispatch.database.query<{ delivered_up_to: string | null; failing_since: number | null }>(
      'SELECT delivered_up_to, failing_since FROM webhooks WHERE id = $1',
      [this.webhookId],
    );
    this.shown = { upTo: row?.delivered_up_to ?? null, failing: row?.failing_since ?? null };
  }

  /** @param oldestLeft the first event that is not done with; undefined where all are. */
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

  /** Something has changed that is not shown yet. */
  change(): void {
    this.isStale = true;
  }

  /** What {@link write} has given is committed. */
  settle(shown: Shown): void {
    this.shown = shown;
    this.at = this.dispatch.clock.monotonic();
    this.isStale = false;
  }
}
