import { replayOf, type Replay } from '../definition/replays.js';
import type { WebhookState } from '../definition/webhook-state.js';
import { lowestPending, NONE } from './lowest-pending.js';
import type { Job } from './job.js';
import { replayJobs, type ReplaySource, type WantedEvents } from './replay-jobs.js';
import { PAGE } from './schedule.js';

export class ReplayProgress {
  private replay: Replay | undefined;
  private queue: Job[] = [];
  private readonly open = new Map<string, string>();

  load(state: WebhookState): void {
    this.queue = [];
    this.open.clear();
    this.replay = replayOf(state);
  }

  get isUnderWay(): boolean {
    return this.replay !== undefined;
  }

  get wantsMore(): boolean {
    return this.replay !== undefined && this.open.size === 0;
  }

  /**
   * @param isOutdated whether the state was loaded again during the read.
   * @returns whether there was nothing more to send.
   */
  async read(source: ReplaySource, wanted: WantedEvents, isOutdated: () => boolean): Promise<boolean> {
    const { replay } = this;
    if (replay === undefined) return false;
    const { after, to } = replay;
    const { jobs, end } = await replayJobs(source, replay, { ...wanted, limit: PAGE });
    if (this.replay !== replay || isOutdated()) return false;
    let before = after;
    for (const { eventId } of jobs) {
      this.open.set(eventId, before);
      before = eventId;
    }
    this.queue.push(...jobs);
    this.replay = end < to ? { ...replay, after: end } : jobs.length > 0 ? { ...replay, after: to } : undefined;
    return jobs.length === 0;
  }

  next(isUnrecorded: (eventId: string) => boolean): Job | undefined {
    const place = this.queue.findIndex(({ eventId }) => !isUnrecorded(eventId));
    const [job] = place === -1 ? [] : this.queue.splice(place, 1);
    return job;
  }

  postpone(job: Job): void {
    this.queue.push(job);
  }

  /**
   * Returns the position up to which all is sent; null if the replay is complete. @param done events that count as
   * recorded.
   */
  after(done: ReadonlySet<string> = NONE): string | null {
    if (this.replay === undefined) return null;
    const after = lowestPending(this.open, done) ?? this.replay.after;
    return after === this.replay.to ? null : after;
  }

  written(eventId: string): void {
    this.open.delete(eventId);
  }

  /** Ends the replay if all of it is recorded. */
  settle(): void {
    if (this.open.size === 0 && this.replay?.after === this.replay?.to) this.replay = undefined;
  }
}
