import { randomUUID } from 'node:crypto';

import { ServiceUnavailableError } from '@items/conventions';
import { BackgroundWork } from '../../data/background/background-work.js';

import { requestedDeliveries } from '../deliveries/delivery-rows.js';
import type { CreatorRights } from '../definition/creator-reach.js';
import type { SecretBox } from '../definition/secret-box.js';
import { allStates, removeWebhook } from '../definition/webhook-state.js';
import { systemClock, type Clock, type Dispatch, type RunnerConfig } from './dispatch.js';
import { Leases } from './leases.js';
import { AttemptPacer } from './attempt-pacer.js';
import { WebhookConfigs } from './webhook-configs.js';
import { WebhookRunner } from './webhook-runner.js';

/** Interval of the rounds that query the database for changes by other instances. */
const ROUND_MS = 1000;
/** Interval while there is no webhook; a creation on this instance starts a round immediately. */
const IDLE_ROUND_MS = 4000;
/** Tolerance for timers that fire early. */
const EARLY_MS = 10;

export interface DispatcherOptions extends Omit<Dispatch, 'clock'> {
  readonly clock?: Clock;
  readonly secrets: SecretBox;
  readonly kinds: readonly string[];
  readonly rights: () => Promise<ReadonlyMap<string, CreatorRights>>;
  readonly holder?: string;
}

/**
 * Sends events to the webhooks whose leases this instance holds. Each webhook has its own runner, so a slow receiver
 * does not delay others.
 */
export class Dispatcher extends BackgroundWork {
  private readonly runners = new Map<string, WebhookRunner>();
  private readonly leases: Leases;
  private readonly pacer: AttemptPacer;
  private readonly ended = new AbortController();
  private readonly configs: WebhookConfigs;
  private roundAt = -Infinity;
  private hasWebhooks = true;
  private isWoken = false;
  private isStarted = false;
  private watching: Promise<void> | undefined;
  private feedEnd = '';
  private readonly options: DispatcherOptions & Dispatch;

  constructor(options: DispatcherOptions) {
    super(options.log, ROUND_MS, 'Could not read the state of webhooks; retrying in 1 s');
    const { database, holder = randomUUID(), clock = systemClock } = options;
    this.options = { ...options, clock };
    this.configs = new WebhookConfigs(options);
    this.pacer = new AttemptPacer(clock);
    this.leases = new Leases(database, holder, clock);
  }

  override start(): void {
    this.isStarted = true;
    this.wake();
    super.start();
  }

  /** Call after this process has changed a webhook. */
  wake(): void {
    this.isWoken = true;
    void this.runNow();
  }

  /** Finishes attempts in progress, and releases the leases. */
  override async stop(): Promise<void> {
    this.ended.abort();
    await super.stop();
    await Promise.all([...this.runners.values()].map((runner) => runner.close()));
    await this.watching;
    // If this fails, other instances take over after 30 s.
    await this.leases.release().catch(() => undefined);
  }

  /** For tests: resolves when no runner has anything to send or to record. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.whenIdle()));
  }

  onNewEvents(): void {
    for (const runner of this.runners.values()) runner.onNewEvents();
  }

  protected override async work(): Promise<void> {
    if (this.ended.signal.aborted) return;
    const now = this.options.clock.monotonic();
    const periodMs = (this.hasWebhooks ? ROUND_MS : IDLE_ROUND_MS) - EARLY_MS;
    if (this.isWoken || now - this.roundAt >= periodMs) {
      this.isWoken = false;
      this.roundAt = now;
      try {
        await this.updateRunners();
      } catch (error) {
        // Ignore outages here, because the database logs them itself.
        if (!(error instanceof ServiceUnavailableError)) throw error;
      }
    }
    for (const runner of this.runners.values()) runner.recheck();
    if (this.isStarted && this.hasFeedReader)
      this.watching ??= this.watchFeed().finally(() => (this.watching = undefined));
  }

  private get hasFeedReader(): boolean {
    return !this.ended.signal.aborted && [...this.runners.values()].some(({ readsFeed }) => readsFeed);
  }

  /** Watches the feed once for all webhooks. */
  private async watchFeed(): Promise<void> {
    while (this.hasFeedReader) {
      const end = await this.options.events.endBeyond(this.feedEnd, this.ended.signal);
      if (end === undefined || end === this.feedEnd) continue;
      this.feedEnd = end;
      this.onNewEvents();
    }
  }

  /** Renews leases, and gives each runner its current configuration, state and requested attempts. */
  private async updateRunners(): Promise<void> {
    const { database } = this.options;
    const rows = await this.configs.webhooks(database);
    this.hasWebhooks = rows.length > 0;
    if (!this.hasWebhooks) return this.closeAllExcept(new Set());
    await this.leases.takeOrRenew(await allStates(database));
    // Read the states again, because `takeOrRenew` may have taken leases.
    const states = new Map((await allStates(database)).map((state) => [state.webhook_id, state]));
    const rights = await this.options.rights();
    const ids = rows.map(({ id }) => id);
    const requested = await requestedDeliveries(database, ids);
    const secrets = await this.configs.secrets(database);
    this.closeAllExcept(new Set(ids));
    for (const row of rows) {
      const state = states.get(row.id);
      const right = rights.get(row.id);
      if (state?.holder !== this.leases.holder || right === undefined) {
        this.runners.get(row.id)?.discardState();
      } else if (right === 'deleted') {
        await this.remove(row.id);
      } else {
        const config = this.configs.configOf(row, right, secrets);
        const ofWebhook = requested.filter(({ webhook_id: id }) => id === row.id);
        await this.runnerOf(row.id, config).update(config, state, ofWebhook);
      }
    }
  }

  private runnerOf(id: string, config: RunnerConfig): WebhookRunner {
    const runner = this.runners.get(id) ?? new WebhookRunner(id, this.options, this.leases, this.pacer, config);
    this.runners.set(id, runner);
    return runner;
  }

  private closeAllExcept(ids: ReadonlySet<string>): void {
    for (const id of this.runners.keys()) if (!ids.has(id)) this.close(id);
  }

  private close(id: string): void {
    void this.runners.get(id)?.close();
    this.runners.delete(id);
  }

  private async remove(id: string): Promise<void> {
    const { database, webhooks } = this.options;
    await database.transaction((tx) => removeWebhook(tx, webhooks, id));
    this.close(id);
  }
}
