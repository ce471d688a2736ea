import { CollectionService } from '../../data/collections/collection-service.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { sealOf, type CursorPolicy } from '../../data/lists/cursors.js';
import type { Delivery, DeliveryAttempt, Webhook } from '@items/dtos/contract';
import { eventMigrations } from '../../feed/event-migrations.js';
import { Events, type EventsOptions } from '../../feed/events.js';
import { kindsOf } from '../../feed/event-kinds.js';
import { positionAfter } from '../../feed/event-id.js';
import { Choice, DateTime, Flag, Integer, NestedList, Optional, RowId, Text, Texts } from '@items/fields';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Schema } from '../../data/schema/schema.js';
import type { Database } from '../../data/database/database.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';
import type { QueryRunner } from 'typeorm';

import type { HiddenDelivery, HiddenWebhook } from '../deliveries/delivery-rows.js';
import { Dispatcher, type DispatcherOptions } from '../dispatch/dispatcher.js';
import type { CreatorRights } from '../definition/creator-reach.js';
import type { Clock, Sender } from '../dispatch/dispatch.js';
import type { Attempt, AttemptResult } from '../sending/attempt.js';
import { webhookMigrations } from '../definition/webhook-migrations.js';
import { SecretBox } from '../definition/secret-box.js';
import { validSecrets } from '../../access/credentials/secrets/rotating-secrets.js';
import { makeWebhookSecret, webhookSecrets } from '../definition/webhook-secrets.js';
import { requestReplay, type Replay } from '../definition/replays.js';
import { addState, lockState } from '../definition/webhook-state.js';

class BookDto {
  @Text({ max: 100 })
  title!: string;
}

const bookCollection = defineCollection({ name: 'books', singular: 'book', dto: BookDto, events: 'book' });

class WebhookDto {
  @Text({ max: 2048 })
  url!: string;

  @Texts({ maxItems: 20, max: 80, each: { matches: /./, expected: 'kinds' } })
  events!: string[];

  @Optional()
  @Text({ max: 200 })
  description!: string | null;

  @Flag()
  disabled!: boolean;

  @Optional()
  @Text({ max: 20 })
  disabled_reason!: string | null;

  @Optional()
  @DateTime()
  failing_since!: string | null;

  @Optional()
  @RowId()
  delivered_up_to!: string | null;

  @Text({ max: 10 })
  api_version!: string;
}

const webhookCollection = defineCollection<WebhookDto, Webhook, HiddenWebhook>({
  name: 'webhooks',
  singular: 'webhook',
  dto: WebhookDto,
  hidden: ['user_id', 'key_id', 'client_id', 'maker', 'secrets'],
  derived: { secrets: ({ secrets }) => validSecrets(secrets) },
  events: {
    subject: 'webhook',
    kinds: ['disabled'],
    kindOf: (was, is) =>
      was?.disabled_reason === null && is !== undefined && is.disabled_reason !== null ? 'disabled' : null,
    fields: ['id', 'disabled', 'disabled_reason'],
  },
});

class AttemptDto {
  @DateTime()
  at!: string;

  @Integer({ min: 0, max: 1_000_000 })
  duration_ms!: number;

  @Optional()
  @Integer({ min: 0, max: 999 })
  status_code!: number | null;

  @Optional()
  @Text({ max: 20 })
  error!: DeliveryAttempt['error'];
}

class DeliveryDto {
  @Text({ max: 36 })
  event_id!: string;

  @Text({ max: 64 })
  type!: string;

  @Choice(['pending', 'succeeded', 'failed'])
  status!: Delivery['status'];

  @NestedList(() => AttemptDto, { min: 0, max: 10 })
  attempts!: AttemptDto[];

  @Optional()
  @DateTime()
  next_attempt_at!: string | null;
}

const deliveryCollection = defineCollection<DeliveryDto, Delivery, HiddenDelivery>({
  name: 'deliveries',
  singular: 'delivery',
  dto: DeliveryDto,
  parent: 'webhook_id',
  hidden: ['tries', 'asked_at', 'status_before'],
});

class CreateBooks2000000000000 {
  readonly name = 'CreateBooks2000000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.createCollection({
      table: 'books',
      columns: [`title ${schema.text} NOT NULL`],
      sortable: [{ column: 'created_at' }],
      filters: [],
    });
  }
}

const policy: CursorPolicy = {
  seals: [sealOf('a secret of this test')],
  ttlMs: 3_600_000,
};

export const KINDS = [...kindsOf(bookCollection), ...kindsOf(webhookCollection)];
export const DAY_MS = 86_400_000;
export const RETRIES_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);

/** Runs the same specs on SQLite and on PostgreSQL; the latter are skipped without a server. */
export function describeOnBothDatabases(title: string, specs: (under: UnderTest<Database>) => void): void {
  onBothDatabases(
    title,
    (config: DatabaseConfig) =>
      openDatabase(config, { migrations: [...eventMigrations, ...webhookMigrations, CreateBooks2000000000000] }),
    specs,
  );
}

export async function deleteWebhooks(database: Database): Promise<void> {
  for (const table of ['webhooks', 'deliveries', 'webhook_states', 'webhook_secrets']) {
    await database.transaction((tx) => tx.query(`DELETE FROM ${table}`));
  }
}

export class TestClock implements Clock {
  nowMs = Date.now();

  now(): number {
    return this.nowMs;
  }

  monotonic(): number {
    return this.nowMs;
  }

  random(): number {
    return 0.5;
  }
}

/** Response of the receiver. `never`: none until the test releases the attempt. */
export type Answer = number | 'timeout' | 'never' | { readonly status: number; readonly holdSeconds: number };

/** Sends nothing, and remembers the attempts. */
export class FakeSender implements Sender {
  readonly sent: Attempt[] = [];
  private readonly held: ((status: number) => void)[] = [];
  underWay = 0;
  maxConcurrent = 0;
  answer: (attempt: Attempt) => Answer | Promise<Answer> = () => 204;

  async attempt(attempt: Attempt): Promise<AttemptResult> {
    this.sent.push(attempt);
    this.underWay += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.underWay);
    let answer = await this.answer(attempt);
    if (answer === 'never') answer = await new Promise<number>((resolve) => this.held.push(resolve));
    this.underWay -= 1;
    const status = typeof answer === 'object' ? answer.status : answer;
    const isAnswer = typeof status === 'number';
    return {
      at: attempt.at,
      durationMs: 1,
      statusCode: isAnswer ? status : null,
      error: isAnswer ? (status < 300 ? null : 'status') : status,
      gone: status === 410,
      holdSeconds: typeof answer === 'object' ? answer.holdSeconds : null,
    };
  }

  releaseAll(status: number): void {
    for (const release of this.held.splice(0)) release(status);
  }

  get ids(): string[] {
    return this.sent.map(({ eventId }) => eventId);
  }
}

/** An instance of the service, which may share its database. Sends the events of books. */
export class TestService {
  readonly events: Events;
  readonly books: CollectionService<Member<BookDto>, BookDto>;
  readonly webhooks: CollectionService<Webhook, WebhookDto, HiddenWebhook>;
  readonly deliveries: CollectionService<Delivery, DeliveryDto, HiddenDelivery>;
  readonly dispatcher: Dispatcher;
  readonly warnings: string[] = [];
  rights: CreatorRights = { all: KINDS, own: [], userId: null };

  constructor(
    readonly database: Database,
    readonly clock: TestClock,
    readonly sender: FakeSender,
    options: Partial<DispatcherOptions> & { readonly kept?: Partial<EventsOptions> } = {},
  ) {
    this.events = new Events(database, policy, { apiVersion: '2026-11-20', keptMs: 30 * DAY_MS, ...options.kept });
    const idempotency = new Idempotency(database);
    const recorder = this.events.recorderOf(bookCollection);
    this.books = new CollectionService(database, idempotency, policy, bookCollection, recorder);
    this.webhooks = new CollectionService(
      database,
      idempotency,
      policy,
      webhookCollection,
      this.events.recorderOf(webhookCollection),
    );
    this.deliveries = new CollectionService(database, idempotency, policy, deliveryCollection);
    this.dispatcher = new Dispatcher({
      database,
      events: this.events,
      webhooks: this.webhooks,
      deliveries: this.deliveries,
      sender,
      policy: { retriesMs: RETRIES_MS, disableAfterMs: 5 * DAY_MS },
      userAgent: 'Test',
      clock,
      log: { warn: (line) => this.warnings.push(line) },
      secrets: new SecretBox(['a key']),
      kinds: KINDS,
      rights: async () => {
        const rows = await database.query<{ id: string }>('SELECT id FROM webhooks');
        return new Map(rows.map(({ id }) => [id, this.rights]));
      },
      ...options,
    });
  }

  async addBook(title = 'a book'): Promise<string> {
    const { resource } = await this.books.create({ title }, '/books');
    const [event] = await this.database.query<{ id: string }>('SELECT id FROM events WHERE object_id = $1', [
      resource.id,
    ]);
    return event?.id ?? '';
  }

  async addBooks(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await this.addBook());
    return ids;
  }

  async addWebhook(events: readonly string[] = ['*'], url = 'https://receiver.example'): Promise<string> {
    return this.webhooks.transaction(async (tx) => {
      const { resource } = await this.webhooks.insert(tx, {
        url,
        events: [...events],
        disabled: false,
        api_version: '2026-11-20',
      });
      const closed = new SecretBox(['a key']).close(makeWebhookSecret(), resource.id);
      await webhookSecrets.replace(tx, resource.id, closed, 0);
      const secrets = await webhookSecrets.shown(tx, resource.id);
      await this.webhooks.updateKeepingTime(tx, resource.id, { secrets });
      const [row] = await tx.query<{ seq: number }>('SELECT seq FROM webhooks WHERE id = $1', [resource.id]);
      await addState(tx, resource.id, positionAfter(row?.seq ?? 0));
      return resource.id;
    });
  }

  async replay(id: string, replay: Replay): Promise<void> {
    await this.database.transaction(async (tx) => {
      const state = await lockState(this.database, tx, id);
      if (state !== undefined) await requestReplay(tx, id, state, replay);
    });
  }

  /** Moves the clock forward, and runs everything that is due. */
  async pass(ms = 0, stepMs = Math.max(ms, 1)): Promise<void> {
    for (let left = ms; ; left -= stepMs) {
      this.clock.nowMs += Math.max(Math.min(left, stepMs), 0);
      for (let n = 0; n < 3; n += 1) {
        await this.dispatcher.runNow();
        this.dispatcher.onNewEvents();
        await this.dispatcher.whenIdle();
      }
      if (left <= stepMs) return;
    }
  }

  async webhook(id: string): Promise<Webhook> {
    return (await this.webhooks.get(id)).resource;
  }

  async deliveriesOf(id: string): Promise<Delivery[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM deliveries WHERE webhook_id = $1 ORDER BY event_id',
      [id],
    );
    const one = async (delivery: string): Promise<Delivery> =>
      (await this.deliveries.get(delivery, { webhook_id: id })).resource;
    return Promise.all(rows.map((row) => one(row.id)));
  }
}
