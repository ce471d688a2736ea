import { randomUUID } from 'node:crypto';

import { ServiceUnavailableError } from '@items/conventions';
import { BackgroundWork } from '../../data/background/background-work.js';

import { requestedDeliveries } from '../deliveries/delivery-rows.js';
import type { CreatorRights } from '../definition/creator-reach.js';
import { removeWebhook } from '../definition/remove-webhook.js';
import type { SecretBox } from '../definition/secret-box.js';
import { allStates } from '../definition/webhook-state.js';
import { systemClock, type Clock } from './clock.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { Leases } from './leases.js';
import { Turns } from './turns.js';
import { WebhookConfigs } from './webhook-configs.js';
import { WebhookRunner } from './webhook-runner.js';

/** Between two looks at the database, in milliseconds: what another instance has changed holds here as soon. */
const ROUND_MS = 1000;
/** The same while there is no webhook: this instance hears at once of one that is created here. */
const IDLE_ROUND_MS = 4000;
/** A timer may be so much early. */
const EARLY_MS = 10;
const BEFORE_ALL = '';

/** What a dispatcher is given, beside what all webhooks share. */
export interface DispatcherOptions extends Omit<Dispatch, 'clock'> {
  /** That of this machine where it is left out. */
  readonly clock?: Clock;
  readonly secrets: SecretBox;
  /** All kinds of events. */
  readonly kinds: readonly string[];
  /** What the creators of all webhooks may read, by webhook. */
  readonly rights: () => Promise<ReadonlyMap<string, CreatorRights>>;
  /** Of this instance; a random one where it is left out. */
  readonly holder?: string;
}

/**
 * Sends events to webhooks, on every instance: each webhook is sent for by the one that holds its lease. A webhook that
 * is slow or down costs the others nothing: each has a runner of its own.
 */
export class Dispatcher extends BackgroundWork {
  private readonly runners = new Map<string, WebhookRunner>();
  private readonly leases: Leases;
  private readonly turns: Turns;
  private readonly ended = new AbortController();
  private readonly configs: WebhookConfigs;
  private roundAt = -Infinity;
  private hasWebhooks = true;
  private isWoken = false;
  private isStarted = false;
  private following: Promise<void> | undefined;
  private end = BEFORE_ALL;

  private readonly options: DispatcherOptions & Dispatch;

  constructor(options: DispatcherOptions) {
    super(options.log, ROUND_MS, 'Webhook dispatch failed; it will be retried');
    const { database, holder = randomUUID(), clock = systemClock } = options;
    this.options = { ...options, clock };
    this.configs = new WebhookConfigs(options);
    this.turns = new Turns(clock);
    this.leases = new Leases(database, holder, clock);
  }

  override start(): void {
    this.isStarted = true;
    // The first round begins at once.
    this.wake();
    super.start();
  }

  /** Something of a webhook was changed in this process. */
  wake(): void {
    this.isWoken = true;
    void this.runNow();
  }

  /** Finishes what is under way, and gives the leases back. */
  override async stop(): Promise<void> {
    this.ended.abort();
    await super.stop();
    await Promise.all([...this.runners.values()].map((runner) => runner.close()));
    await this.following;
    // Where the database does not answer, the others find out by themselves.
    await this.leases.release().catch(() => undefined);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.settled()));
  }

  /** There may be new events. */
  noticeEvents(): void {
    for (const runner of this.runners.values()) runner.noticeEvents();
  }

  protected override async work(): Promise<void> {
    if (this.ended.signal.aborted) return;
    const now = this.options.clock.monotonic();
    const periodMs = (this.hasWebhooks ? ROUND_MS : IDLE_ROUND_MS) - EARLY_MS;
    if (this.isWoken || now - this.roundAt >= periodMs) {
      this.isWoken = false;
      this.roundAt = now;
      try {
        await this.lookAround();
      } catch (error) {
        // The store reports its outages itself.
        if (!(error instanceof ServiceUnavailableError)) throw error;
      }
    }
    for (const runner of this.runners.values()) runner.lookAgain();
    if (this.isStarted && this.isFollowing)
      this.following ??= this.follow().finally(() => (this.following = undefined));
  }

  private get isFollowing(): boolean {
    return !this.ended.signal.aborted && [...this.runners.values()].some(({ follows }) => follows);
  }

  /** One look at the feed for all webhooks. */
  private async follow(): Promise<void> {
    while (this.isFollowing) {
      const end = await this.options.events.endBeyond(this.end, this.ended.signal);
      if (end === undefined || end === this.end) continue;
      this.end = end;
      this.noticeEvents();
    }
  }

  private async lookAround(): Promise<void> {
    const { database } = this.options;
    const rows = await this.configs.webhooks(database);
    this.hasWebhooks = rows.length > 0;
    if (!this.hasWebhooks) return this.closeOthers(new Set());
    await this.leases.look(await allStates(database));
    const states = new Map((await allStates(database)).map((state) => [state.webhook_id, state]));
    const rights = await this.options.rights();
    const ids = rows.map(({ id }) => id);
    const requested = await requestedDeliveries(database, ids);
    const secrets = await this.configs.secrets(database);
    this.closeOthers(new Set(ids));
    for (const row of rows) {
      const state = states.get(row.id);
      const right = rights.get(row.id);
      if (state?.holder !== this.leases.holder || right === undefined) {
        this.runners.get(row.id)?.lose();
      } else if (right === 'gone') {
        await this.remove(row.id);
      } else {
        const config = this.configs.configOf(row, right, secrets);
        const ofWebhook = requested.filter(({ webhook_id: id }) => id === row.id);
        await this.runnerOf(row.id, config).update(config, state, ofWebhook);
      }
    }
  }

  private runnerOf(id: string, config: RunnerConfig): WebhookRunner {
    let runner = this.runners.get(id);
    if (runner === undefined) {
      runner = new WebhookRunner(id, this.options, this.leases, this.turns, config);
      this.runners.set(id, runner);
    }
    return runner;
  }

  /** Those that are gone are sent nothing more. */
  private closeOthers(ids: ReadonlySet<string>): void {
    for (const [id, runner] of this.runners) {
      if (ids.has(id)) continue;
      void runner.close();
      this.runners.delete(id);
    }
  }

  private async remove(id: string): Promise<void> {
    const { database, webhooks, onEnd } = this.options;
    await database.transaction((tx) => removeWebhook(tx, webhooks, id));
    onEnd?.(id, 'creator_gone');
    void this.runners.get(id)?.close();
    this.runners.delete(id);
  }
}
