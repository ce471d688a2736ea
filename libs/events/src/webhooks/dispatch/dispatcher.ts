import { randomUUID } from 'node:crypto';

import { ServiceUnavailableError } from '@items/conventions';
import type { Visibility } from '../../visibility.js';
import { BackgroundWork } from '@items/store';

import { askedDeliveries } from '../deliveries/delivery-rows.js';
import { selectedKinds } from '../definition/event-selection.js';
import type { MakerRights } from '../definition/maker-reach.js';
import { removeWebhook } from '../definition/remove-webhook.js';
import type { SecretBox } from '../definition/secret-box.js';
import { allStates } from '../definition/webhook-state.js';
import type { Dispatch, RunnerConfig } from './dispatch.js';
import { Leases } from './leases.js';
import { Turns } from './turns.js';
import { WebhookRunner } from './webhook-runner.js';

/** Between two looks at what is due in memory, in milliseconds. */
const TICK_MS = 250;
/** Between two looks at the database: what another instance has changed holds here as soon. */
const ROUND_MS = 1000;
const BEFORE_ALL = '';
/** Secrets that cannot be read, of which the log has been told. */
const MAX_WARNED = 100;

/** What a dispatcher is given, beside what all webhooks share. */
export interface DispatcherOptions extends Dispatch {
  readonly secrets: SecretBox;
  /** All kinds of events. */
  readonly kinds: readonly string[];
  /** What the makers of all webhooks may read, by webhook. */
  readonly rights: () => Promise<ReadonlyMap<string, MakerRights>>;
  /** Of this instance; a random one where it is left out. */
  readonly holder?: string;
}

interface WebhookRow {
  readonly id: string;
  readonly url: string;
  /** JSON. */
  readonly events: string;
  readonly disabled: number;
  readonly api_version: string;
}

interface SecretRow {
  readonly webhook_id: string;
  readonly secret: string;
  readonly expires_at: number | null;
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
  private roundAt = -Infinity;
  private isWoken = false;
  private isStarted = false;
  private following: Promise<void> | undefined;
  private end = BEFORE_ALL;
  private warned = new Set<string>();

  constructor(private readonly options: DispatcherOptions) {
    super(options.log, TICK_MS, 'Webhooks are looked after later');
    this.turns = new Turns(options.clock);
    this.leases = new Leases(options.database, options.holder ?? randomUUID(), options.clock);
  }

  override start(): void {
    this.isStarted = true;
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
    const runners = [...this.runners.values()];
    for (const runner of runners) runner.close();
    await Promise.all(runners.map((runner) => runner.settled()));
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

  /** Without webhooks there is nothing in memory to look at. */
  protected override nextRoundInMs(): number {
    return this.runners.size === 0 ? ROUND_MS : TICK_MS;
  }

  protected override async work(): Promise<void> {
    if (this.ended.signal.aborted) return;
    const now = this.options.clock.monotonic();
    if (this.isWoken || now - this.roundAt >= ROUND_MS) {
      this.isWoken = false;
      this.roundAt = now;
      try {
        await this.lookAround();
      } catch (error) {
        // The store tells of its outages itself.
        if (!(error instanceof ServiceUnavailableError)) throw error;
      }
    }
    for (const runner of this.runners.values()) runner.pump();
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
    const rows = await database.query<WebhookRow>('SELECT id, url, events, disabled, api_version FROM webhooks');
    if (rows.length === 0) return this.keep(new Set());
    await this.leases.look(await allStates(database));
    const states = new Map((await allStates(database)).map((state) => [state.webhook_id, state]));
    const rights = await this.options.rights();
    const asked = await askedDeliveries(
      database,
      rows.map(({ id }) => id),
    );
    const secrets = await database.query<SecretRow>('SELECT webhook_id, secret, expires_at FROM webhook_secrets');
    this.keep(new Set(rows.map(({ id }) => id)));
    for (const row of rows) {
      const state = states.get(row.id);
      const right = rights.get(row.id);
      if (state?.holder !== this.leases.holder || right === undefined) {
        this.runners.get(row.id)?.lose();
      } else if (right === 'gone') {
        await this.remove(row.id);
      } else {
        const config = this.configOf(row, right, secrets);
        const runner = this.runnerOf(row.id, config);
        await runner.update(
          config,
          state,
          asked.filter(({ webhook_id: id }) => id === row.id),
        );
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
  private keep(ids: ReadonlySet<string>): void {
    for (const [id, runner] of this.runners) {
      if (ids.has(id)) continue;
      runner.close();
      this.runners.delete(id);
    }
  }

  private async remove(id: string): Promise<void> {
    const { database, webhooks, onEnd } = this.options;
    await database.transaction((tx) => removeWebhook(tx, webhooks, id));
    onEnd?.(id, 'maker_gone');
    this.runners.get(id)?.close();
    this.runners.delete(id);
  }

  private configOf(
    { id, url, events, disabled, api_version: apiVersion }: WebhookRow,
    right: Visibility | 'silent',
    secrets: readonly SecretRow[],
  ): RunnerConfig {
    return {
      url,
      apiVersion,
      disabled: disabled === 1,
      types: selectedKinds(JSON.parse(events) as string[], this.options.kinds),
      visible: right === 'silent' ? undefined : right,
      secrets: this.opened(id, secrets),
    };
  }

  private opened(id: string, rows: readonly SecretRow[]): RunnerConfig['secrets'] {
    const opened: { secret: string; expiresAt: number | null }[] = [];
    for (const { webhook_id: owner, secret, expires_at: expiresAt } of rows) {
      if (owner !== id) continue;
      try {
        opened.push({ secret: this.options.secrets.open(secret, id), expiresAt });
      } catch (error) {
        if (this.warned.has(secret)) continue;
        if (this.warned.size >= MAX_WARNED) this.warned.clear();
        this.warned.add(secret);
        this.options.log.warn(`A secret of webhook ${id} cannot be used: ${String(error)}`);
      }
    }
    return opened;
  }
}
