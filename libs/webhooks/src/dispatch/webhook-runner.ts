import { formatTime } from '@items/collections';
import type { DeliveryAttempt, DisabledReason } from '@items/contracts';
import { ApiError, ResourceNotFoundError } from '@items/errors';
import type { FeedEvent, Visibility } from '@items/events';
import type { Transaction } from '@items/store';

import { giveUpWaiting, PING, triedBehind, waitingOf, type DueDelivery } from '../deliveries/delivery-rows.js';
import type { AttemptResult } from '../sending/attempt.js';
import { beginNextReplay, replayOf, type Replay } from '../webhooks/replays.js';
import { lockState, noteProgress, type WebhookState } from '../webhooks/webhook-state.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import type { Job, Outcome, Reason, WaitingDelivery } from './job.js';
import type { Leases } from './leases.js';
import { pingOf } from './ping.js';
import { recordOutcomes } from './record-outcomes.js';
import { replayJobs } from './replay-jobs.js';
import { MAX_AT_ONCE, MAX_WAITING, PROBE_MS, retryDelayMs } from './schedule.js';
import { ShownProgress, type Shown } from './shown-progress.js';

/** Events that are read at once. */
const PAGE = 100;
/** Outcomes that are not written yet: beyond that many nothing is begun. */
const MAX_UNWRITTEN = 50;
/** While others are under way, outcomes are gathered for so long, or until there are so many: a commit costs more than they. */
const GATHER_MS = 50;
const GATHERED = 25;
/** How long after a failure of the database the next attempt to write or read is made. */
const PAUSE_MS = 1000;
/** How often a place that has moved without a delivery is written. */
const NOTE_MS = 5000;

/**
 * Sends for one webhook, while this instance holds its lease: events as the feed has them, retries in their time, what
 * somebody has asked for, and replays. All is in memory but for the place in the feed and the deliveries; both are written
 * together, a few at a time, when attempts are over. What was under way when the process ended is sent once more.
 */
export class WebhookRunner {
  private config: RunnerConfig;
  private fence = -1;
  private isLoaded = false;
  private isClosed = false;

  /** Read from the feed, and not begun. */
  private queue: FeedEvent[] = [];
  private readTo = '';
  private reached = '';
  private mayHaveMore = true;
  /** Changes with the place, or with what is read: what was asked for before is not taken. */
  private reads = 0;
  private reading: Promise<void> | undefined;
  private readAgainAt = 0;
  /** Begun in the order of the feed and not written, each with the place before it. */
  private readonly open = new Map<string, string>();
  private tried = new Set<string>();
  private begun: string | null = null;

  private readonly waiting = new Map<string, WaitingDelivery>();
  private early: string[] = [];
  private probedAt = 0;
  private asked: DueDelivery[] = [];
  /** Until the database is seen to know it: for which asking an attempt was made. */
  private readonly answered = new Map<string, number | null>();
  private replay: Replay | undefined;
  private replayQueue: Job[] = [];
  private readonly replaying = new Map<string, string>();

  private readonly busy = new Map<string, Reason>();
  private outcomes: Outcome[] = [];
  private flushing: Promise<void> | undefined;
  private flushAgainAt = 0;
  private flushedAt = -Infinity;
  private failingSince: number | null = null;
  private holdUntil: number | null = null;
  private ending: DisabledReason | undefined;

  private notedPlace = '';
  private notedAt = 0;
  private readonly progress: ShownProgress;

  constructor(
    private readonly id: string,
    private readonly dispatch: Dispatch,
    private readonly leases: Pick<Leases, 'holder' | 'isHeld'>,
    config: RunnerConfig,
  ) {
    this.config = config;
    this.progress = new ShownProgress(id, dispatch);
  }

  /** Whether new events are of interest. */
  get follows(): boolean {
    return !this.isClosed && !this.config.disabled && this.config.visible !== undefined && this.dispatch.events.isOn;
  }

  /** What the database says now. @param asked deliveries of this webhook for which somebody has asked. */
  async update(config: RunnerConfig, state: WebhookState, asked: readonly DueDelivery[]): Promise<void> {
    const isOther =
      JSON.stringify([config.types, config.visible]) !== JSON.stringify([this.config.types, this.config.visible]);
    this.config = config;
    // What was read for a replay may be what is no longer to be sent.
    if (state.fence !== this.fence || (isOther && this.replay !== undefined)) await this.load(state);
    else if (isOther) this.readFrom(this.reached);
    const isDone = ({ id, asked_at: at }: DueDelivery): boolean => this.answered.get(id) === at;
    for (const id of this.answered.keys()) if (!asked.some((one) => one.id === id)) this.answered.delete(id);
    this.asked = asked.filter((one) => !isDone(one) && !this.busy.has(one.event_id) && !this.isUnwritten(one.event_id));
    this.pump();
  }

  /** There may be new events. */
  noticeEvents(): void {
    this.mayHaveMore = true;
    this.pump();
  }

  /** Begins what may begin now; to be called now and then. */
  pump(): void {
    if (!this.isLoaded || this.isClosed || !this.leases.isHeld(this.id)) return;
    for (let job = this.next(); job !== undefined; job = this.next()) this.begin(job);
    this.readOn();
    this.write();
  }

  /** Begins nothing more. */
  close(): void {
    this.isClosed = true;
  }

  /** Resolves when nothing is under way and all is written, as far as the database answers. */
  async settled(): Promise<void> {
    while (this.busy.size > 0 || this.reading !== undefined || this.flushing !== undefined) {
      await Promise.race([...this.underWay, this.reading, this.flushing].filter((work) => work !== undefined));
      await this.flushing;
    }
    if (this.isClosed && this.outcomes.length > 0) await this.flush();
  }

  private readonly underWay = new Set<Promise<void>>();
  private lookUps = Promise.resolve();

  private async load(state: WebhookState): Promise<void> {
    const { database } = this.dispatch;
    this.isLoaded = false;
    const waiting = await waitingOf(database, this.id);
    await this.progress.load();
    this.tried = await triedBehind(database, this.id, state.place);
    this.waiting.clear();
    for (const { id, event_id: eventId, type, tries, next_attempt_at: dueAt } of waiting) {
      if (type !== PING) {
        this.waiting.set(eventId, { eventId, type, deliveryId: id, tries: tries ?? 0, dueAt: dueAt ?? 0 });
      }
    }
    this.open.clear();
    this.early = [];
    this.begun = state.begun;
    this.failingSince = state.failing_since;
    this.holdUntil = state.hold_until;
    this.notedPlace = state.place;
    this.replayQueue = [];
    this.replaying.clear();
    this.replay = replayOf(state);
    this.readFrom(state.place);
    this.fence = state.fence;
    this.isLoaded = true;
  }

  private readFrom(place: string): void {
    this.queue = [];
    this.readTo = place;
    this.reached = place;
    this.reads += 1;
    this.mayHaveMore = true;
  }

  private isUnwritten(eventId: string): boolean {
    return this.outcomes.some(({ job }) => job.eventId === eventId);
  }

  private next(): Job | undefined {
    if (this.busy.size >= MAX_AT_ONCE || this.outcomes.length >= MAX_UNWRITTEN || this.ending !== undefined) {
      return undefined;
    }
    const { disabled, visible, secrets } = this.config;
    if (visible === undefined || secrets.length === 0) return undefined;
    const asked = this.nextAsked(disabled);
    if (asked !== undefined) return asked;
    const now = this.dispatch.clock.now();
    if (disabled || (this.holdUntil !== null && now < this.holdUntil)) return undefined;
    if (this.failingSince !== null && this.busy.size > 0) return undefined;
    if (this.failingSince !== null && this.isGivenUp(now)) return undefined;
    return this.nextRetry(now) ?? this.nextEarly(now) ?? this.nextFirst() ?? this.nextReplay();
  }

  private nextAsked(isPingOnly: boolean): Job | undefined {
    const place = this.asked.findIndex(
      ({ event_id: id, type }) => !this.busy.has(id) && (type === PING || !isPingOnly),
    );
    const [found] = place === -1 ? [] : this.asked.splice(place, 1);
    if (found === undefined) return undefined;
    this.answered.set(found.id, found.asked_at);
    return {
      reason: 'asked',
      eventId: found.event_id,
      type: found.type,
      deliveryId: found.id,
      tries: found.tries ?? 0,
    };
  }

  private nextRetry(now: number): Job | undefined {
    let first: WaitingDelivery | undefined;
    for (const one of this.waiting.values()) {
      if (one.dueAt <= now && this.isFree(one) && one.dueAt < (first?.dueAt ?? Infinity)) first = one;
    }
    return first && this.jobOf(first, 'retry');
  }

  /** Where too many wait: the oldest once a minute, and all of them when it has arrived. */
  private nextEarly(now: number): Job | undefined {
    while (this.early.length > 0) {
      const one = this.waiting.get(this.early.shift() ?? '');
      if (one !== undefined && this.isFree(one)) return this.jobOf(one, 'early');
    }
    if (this.waiting.size < MAX_WAITING || now - this.probedAt < PROBE_MS) return undefined;
    const [oldest] = [...this.waiting.values()].filter((one) => this.isFree(one)).sort(byEvent);
    if (oldest === undefined) return undefined;
    this.probedAt = now;
    return this.jobOf(oldest, 'early');
  }

  private nextFirst(): Job | undefined {
    if (this.isFull()) return undefined;
    for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) {
      const before = this.reached;
      this.reached = event.id;
      if (this.tried.delete(event.id)) continue;
      this.open.set(event.id, before);
      // Begun before the place was read anew.
      if (this.busy.has(event.id) || this.isUnwritten(event.id)) continue;
      this.begun = event.id;
      return { reason: 'first', eventId: event.id, type: event.type, event, tries: 0 };
    }
    this.reached = this.readTo;
    return undefined;
  }

  private nextReplay(): Job | undefined {
    if (this.isFull()) return undefined;
    const place = this.replayQueue.findIndex(({ eventId }) => !this.busy.has(eventId) && !this.isUnwritten(eventId));
    const [job] = place === -1 ? [] : this.replayQueue.splice(place, 1);
    return job;
  }

  /** Each event that is begun may come to wait. */
  private isFull(): boolean {
    return this.waiting.size + this.busy.size >= MAX_WAITING;
  }

  private isFree({ eventId, deliveryId }: WaitingDelivery): boolean {
    return deliveryId !== undefined && !this.busy.has(eventId) && !this.isUnwritten(eventId);
  }

  private jobOf({ eventId, type, deliveryId, tries }: WaitingDelivery, reason: Reason): Job {
    return { reason, eventId, type, tries, ...(deliveryId !== undefined && { deliveryId }) };
  }

  private begin(job: Job): void {
    this.busy.set(job.eventId, job.reason);
    const work = this.make(job)
      .then((outcome) => {
        if (outcome !== undefined) this.outcomes.push(outcome);
      })
      .catch((error: unknown) => {
        this.dispatch.log.warn(`An attempt for webhook ${this.id} broke off: ${String(error)}`);
        if (job.deliveryId !== undefined) this.answered.delete(job.deliveryId);
        this.readAnew();
      })
      .finally(() => {
        this.busy.delete(job.eventId);
        this.underWay.delete(work);
        this.write();
        this.pump();
      });
    this.underWay.add(work);
  }

  /** @returns undefined where it could not be found out what to send: it is tried again soon. */
  private async make(job: Job): Promise<Outcome | undefined> {
    const { sender, userAgent, clock, inForm = (event: FeedEvent) => event } = this.dispatch;
    const { url, secrets, apiVersion, visible } = this.config;
    const event = await this.inTurn(() => this.eventOf(job, visible));
    if (event === 'later') {
      this.postpone(job);
      return undefined;
    }
    if (event === 'gone') return this.gaveUp(job);
    // It may have waited for the event, and the lease be over.
    if (!this.leases.isHeld(this.id)) {
      this.postpone(job);
      return undefined;
    }
    const now = clock.now();
    const result = await sender.attempt({
      url,
      eventId: job.eventId,
      body: JSON.stringify(inForm(event, apiVersion)),
      apiVersion,
      secrets: secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret),
      userAgent,
      at: new Date(now),
    });
    return this.judge(job, result);
  }

  /** Looks events up one after the other: attempts start in the order in which they were begun. */
  private inTurn<T>(lookUp: () => Promise<T>): Promise<T> {
    const found = this.lookUps.then(lookUp);
    this.lookUps = found.then(NOTHING, NOTHING);
    return found;
  }

  private async eventOf(job: Job, visible: Visibility | undefined): Promise<FeedEvent | 'gone' | 'later'> {
    const { types } = this.config;
    if (job.reason !== 'asked' && types?.includes(job.type) === false) return 'gone';
    if (job.event !== undefined) return job.event;
    if (job.type === PING) return pingOf(job.eventId, this.id, this.config.apiVersion);
    if (visible === undefined) return 'later';
    try {
      return await this.dispatch.events.get(job.eventId, visible);
    } catch (error) {
      return error instanceof ResourceNotFoundError ? 'gone' : 'later';
    }
  }

  private postpone(job: Job): void {
    const waiting = this.waiting.get(job.eventId);
    const dueAt = this.dispatch.clock.now() + PAUSE_MS;
    if (waiting !== undefined && job.reason === 'retry') this.waiting.set(job.eventId, { ...waiting, dueAt });
    else if (job.reason === 'replay') this.replayQueue.push(job);
    else if (job.reason === 'first') this.readAnew();
    else if (job.deliveryId !== undefined) this.answered.delete(job.deliveryId);
  }

  /** Whether it has failed for too long, attempt or not. */
  private isGivenUp(now: number): boolean {
    if (this.failingSince === null || now - this.failingSince < this.dispatch.policy.disableAfterMs) return false;
    this.ending ??= 'failing';
    return true;
  }

  /** The place is read from the database again, with the next look at the leases. */
  private readAnew(): void {
    this.isLoaded = false;
    this.fence = -1;
  }

  private gaveUp(job: Job): Outcome {
    this.waiting.delete(job.eventId);
    return { job, status: 'failed', nextAttemptAt: null };
  }

  private judge(job: Job, result: AttemptResult): Outcome {
    const { at, durationMs, statusCode, error, gone, holdSeconds } = result;
    const now = this.dispatch.clock.now();
    const attempt: DeliveryAttempt = {
      at: formatTime(at.getTime()),
      duration_ms: durationMs,
      status_code: statusCode,
      error,
    };
    this.dispatch.onAttempt?.(error === null ? 'succeeded' : 'failed');
    if (error === null) {
      // It is back: what waits need not wait for its time.
      if (this.waiting.size >= MAX_WAITING)
        this.early = [...this.waiting.values()].sort(byEvent).map(({ eventId }) => eventId);
      this.waiting.delete(job.eventId);
      this.failingSince = null;
      return { job, attempt, status: 'succeeded', nextAttemptAt: null };
    }
    if (holdSeconds !== null) this.holdUntil = now + holdSeconds * 1000;
    if (gone && !this.config.disabled) this.ending = 'gone';
    if (job.type === PING) return { job, attempt, status: 'failed' };
    this.failingSince ??= at.getTime();
    this.isGivenUp(now);
    if (job.reason === 'asked' || job.reason === 'early') return { job, attempt };
    return this.planned(job, attempt, now);
  }

  private planned(job: Job, attempt: DeliveryAttempt, now: number): Outcome {
    const { policy, clock } = this.dispatch;
    const tries = (job.reason === 'retry' ? job.tries : 0) + 1;
    const delay = retryDelayMs(policy, tries, clock.random());
    if (delay === undefined || this.config.disabled || this.ending !== undefined) {
      this.waiting.delete(job.eventId);
      return { job, attempt, status: 'failed', nextAttemptAt: null, tries };
    }
    const dueAt = Math.max(now + delay, this.holdUntil ?? 0);
    const { eventId, type, deliveryId } = job;
    if (this.waiting.size === MAX_WAITING - 1) this.probedAt = now;
    this.waiting.set(eventId, { eventId, type, tries, dueAt, ...(deliveryId !== undefined && { deliveryId }) });
    return { job, attempt, status: 'pending', nextAttemptAt: dueAt, tries };
  }

  /** All events up to it are done with. */
  private place(): string {
    return firstLeft(this.open, NONE) ?? (this.queue.length > 0 ? this.reached : this.readTo);
  }

  private readOn(): void {
    const { clock, events } = this.dispatch;
    if (this.reading !== undefined || !this.follows || this.isFull() || clock.monotonic() < this.readAgainAt) return;
    const isForEvents = this.mayHaveMore && this.queue.length < MAX_AT_ONCE;
    const isForReplay = this.replay !== undefined && this.replaying.size === 0;
    if (!isForEvents && !isForReplay) return;
    const work = async (): Promise<void> => {
      if (isForEvents) await this.readEvents(events);
      if (isForReplay) await this.readReplay(events);
    };
    this.reading = work()
      .catch((error: unknown) => {
        this.readAgainAt = clock.monotonic() + PAUSE_MS;
        if (!(error instanceof ApiError))
          this.dispatch.log.warn(`Events for webhook ${this.id} are read later: ${String(error)}`);
      })
      .finally(() => {
        this.reading = undefined;
        this.pump();
      });
  }

  private async readEvents(events: Dispatch['events']): Promise<void> {
    const { types, visible } = this.config;
    if (visible === undefined) return;
    this.mayHaveMore = false;
    const { readTo, reads, fence } = this;
    try {
      const { events: found, end } = await events.stretch(readTo, types, visible, PAGE);
      // The webhook may have become another one meanwhile.
      if (this.reads !== reads || this.fence !== fence) return;
      this.queue.push(...found);
      this.readTo = end;
      if (found.length === PAGE) this.mayHaveMore = true;
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
  }

  private async readReplay(events: Dispatch['events']): Promise<void> {
    const { replay, config, fence } = this;
    if (replay === undefined || config.visible === undefined) return;
    const { after, to } = replay;
    const source = { database: this.dispatch.database, events, webhookId: this.id };
    const { types, visible } = config;
    const { jobs, end } = await replayJobs(source, replay, { types, visible, limit: PAGE });
    if (this.replay !== replay || this.fence !== fence) return;
    let before = after;
    for (const { eventId } of jobs) {
      this.replaying.set(eventId, before);
      before = eventId;
    }
    this.replayQueue.push(...jobs);
    this.replay = end < to ? { ...replay, after: end } : jobs.length > 0 ? { ...replay, after: to } : undefined;
    if (jobs.length === 0) this.progress.change();
  }

  /** Writes what there is to write, one transaction at a time. */
  private write(): void {
    if (this.flushing !== undefined || !this.hasToWrite()) return;
    this.flushing = this.flush().finally(() => {
      this.flushing = undefined;
      this.pump();
    });
  }

  private hasToWrite(): boolean {
    const now = this.dispatch.clock.monotonic();
    if (now < this.flushAgainAt || !this.isLoaded) return false;
    if (this.ending !== undefined) return true;
    if (this.outcomes.length > 0) return !this.isGathering(now);
    if (this.progress.isDue) return true;
    return this.place() !== this.notedPlace && now - this.notedAt >= NOTE_MS;
  }

  private isGathering(now: number): boolean {
    return this.busy.size > 0 && this.outcomes.length < GATHERED && now - this.flushedAt < GATHER_MS;
  }

  private async flush(): Promise<void> {
    this.flushedAt = this.dispatch.clock.monotonic();
    const batch = this.outcomes.slice(0, MAX_UNWRITTEN);
    const ending = this.ending;
    try {
      const written = await this.dispatch.database.transaction((tx) => this.writeWithin(tx, batch, ending));
      this.outcomes.splice(0, batch.length);
      if (written === undefined) return this.lose();
      for (const [eventId, deliveryId] of written.made) {
        const waiting = this.waiting.get(eventId);
        if (waiting !== undefined) waiting.deliveryId = deliveryId;
      }
      for (const { job } of batch) {
        this.open.delete(job.eventId);
        if (job.reason === 'replay') this.replaying.delete(job.eventId);
      }
      this.afterWrite(written);
      if (ending !== undefined) {
        this.ending = undefined;
        this.config = { ...this.config, disabled: true };
        this.waiting.clear();
      }
    } catch (error) {
      this.flushAgainAt = this.dispatch.clock.monotonic() + PAUSE_MS;
      if (!(error instanceof ApiError)) {
        this.dispatch.log.warn(`Deliveries of webhook ${this.id} are written later: ${String(error)}`);
      }
    }
  }

  private afterWrite({ place, shown, isCurrent }: Written): void {
    const now = this.dispatch.clock.monotonic();
    if (isCurrent) [this.notedPlace, this.notedAt] = [place, now];
    if (shown === undefined) this.progress.change();
    else this.progress.settle(shown);
    // Somebody else has set the place meanwhile: it is read anew.
    if (!isCurrent) this.readAnew();
    if (this.replay !== undefined && this.replay.after === this.replay.to && this.replaying.size === 0) {
      this.replay = undefined;
    }
  }

  /** @returns undefined where another instance sends by now. */
  private async writeWithin(
    tx: Transaction,
    batch: readonly Outcome[],
    ending: DisabledReason | undefined,
  ): Promise<Written | undefined> {
    const { database, deliveries } = this.dispatch;
    const state = await lockState(database, tx, this.id);
    if (state === undefined || state.holder !== this.leases.holder) return undefined;
    const made = await recordOutcomes(tx, deliveries, this.id, batch);
    const done = new Set(batch.map(({ job }) => job.eventId));
    const isCurrent = state.fence === this.fence;
    const place = firstLeft(this.open, done) ?? (this.queue.length > 0 ? this.reached : this.readTo);
    if (isCurrent) {
      const replayAfter = this.replay === undefined ? null : (firstLeft(this.replaying, done) ?? this.replay.after);
      const isOver = replayAfter !== null && replayAfter === this.replay?.to;
      await noteProgress(tx, this.id, {
        place,
        begun: this.begun,
        failing_since: this.failingSince,
        hold_until: this.holdUntil,
        replay_after: isOver ? null : replayAfter,
      });
      if (replayAfter === null || isOver) await beginNextReplay(tx, this.id, state);
    }
    if (ending !== undefined && isCurrent) await this.disable(tx, ending);
    if (!this.progress.isTime && ending === undefined) return { made, place, isCurrent, shown: undefined };
    const [oldestLeft] = [...this.open.keys(), ...this.waiting.keys()]
      .filter((id) => !done.has(id) || this.waiting.has(id))
      .sort();
    const shown = await this.progress.write(tx, oldestLeft, this.failingSince);
    return { made, place, isCurrent, shown };
  }

  private async disable(tx: Transaction, reason: DisabledReason): Promise<void> {
    const { webhooks, deliveries } = this.dispatch;
    const [row] = await tx.query<{ disabled: number }>('SELECT disabled FROM webhooks WHERE id = $1', [this.id]);
    if (row?.disabled !== 0) return;
    const failingSince = this.failingSince === null ? null : formatTime(this.failingSince);
    await webhooks.lockAndUpdate(tx, this.id, () => ({
      disabled: true,
      disabled_reason: reason,
      failing_since: failingSince,
    }));
    await giveUpWaiting(tx, deliveries, this.id);
  }

  /** Another instance sends by now. */
  lose(): void {
    this.readAnew();
    this.outcomes = [];
    this.open.clear();
    this.answered.clear();
  }
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING = (): void => undefined;
/** Above all ids. */
const LAST = 'g';

interface Written {
  readonly made: ReadonlyMap<string, string>;
  readonly place: string;
  /** Whether nobody else has set the place meanwhile. */
  readonly isCurrent: boolean;
  /** Undefined where it was not the time. */
  readonly shown: Shown | undefined;
}

function firstLeft(open: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  let first: string | undefined;
  for (const [id, before] of open) if (!done.has(id) && before < (first ?? LAST)) first = before;
  return first;
}

function byEvent(a: WaitingDelivery, b: WaitingDelivery): number {
  return a.eventId < b.eventId ? -1 : 1;
}
