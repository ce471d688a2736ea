import type { ListResponse } from '../../data/lists/list-page.js';
import type { Tagged } from '../../data/collections/tagged.js';
import type { Delivery, Replay, ReplayInput } from '@items/dtos/contract';
import { ConflictError } from '@items/conventions';
import { Events } from '../../feed/events.js';
import { Audit, type AuditSource } from '../../runtime/logging/audit.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import type { ListRequest } from '@items/paging';
import { Database, type Transaction } from '../../data/database/database.js';
import { codeOf } from '../../data/database/error-codes.js';
import { Idempotency, type IdempotentCreation, type RepeatableRequest } from '../../data/idempotency/idempotency.js';
import { CLOSED_STATE } from '../deliveries/delivery-partitions.js';
import { DeliveryPurge } from '../deliveries/delivery-purge.js';
import { addPing, pingsUnderWay, requestAttempt } from '../deliveries/requested-deliveries.js';
import { requestReplay } from '../definition/replays.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { lockState } from '../definition/webhook-state.js';
import { PING } from '../deliveries/delivery-rows.js';
import { Injectable } from '@nestjs/common';

import { deliveryCollection } from './delivery.collection.js';
import { webhookCollection } from './webhook.collection.js';

/** 409: a disabled webhook sends only pings. */
export function webhookDisabled(): ConflictError {
  return new ConflictError(
    'webhook_disabled',
    'The webhook is disabled: enable it first, by a PUT with "disabled": false.',
  );
}

const MAX_PINGS = 20;

/** `Retry-After` is 1, because a ping usually ends within a second, and always within 15 s. */
export function tooManyPings(): ConflictError {
  const message = `${String(MAX_PINGS)} pings of this webhook are in progress: wait until one of them has ended.`;
  return new ConflictError('too_many_pings', message, { headers: { 'retry-after': '1' } });
}

/** Lists deliveries, and requests pings, attempts and replays. SPEC §6.2 */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectCollection(webhookCollection) private readonly webhooks: CollectionOf<typeof webhookCollection>,
    @InjectCollection(deliveryCollection) private readonly deliveries: CollectionOf<typeof deliveryCollection>,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly events: Events,
    private readonly dispatcher: Dispatcher,
    private readonly audit: Audit,
    private readonly purge: DeliveryPurge,
  ) {}

  async list(webhookId: string, request: ListRequest, path: string): Promise<ListResponse<Delivery>> {
    await this.webhooks.get(webhookId);
    return this.deliveries.list(request, path, { webhook_id: webhookId });
  }

  async get(webhookId: string, id: string): Promise<Tagged<Delivery>> {
    await this.webhooks.get(webhookId);
    return this.deliveries.get(id, { webhook_id: webhookId });
  }

  /**
   * Pings a webhook, even a disabled one.
   * @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: too many pings are pending.
   */
  async ping(webhookId: string, repeatable: RepeatableRequest | undefined): Promise<IdempotentCreation<Delivery>> {
    await this.webhooks.get(webhookId);
    const add = async (tx: Transaction): Promise<Tagged<Delivery>> => {
      await this.requireRoomForPing(tx, webhookId);
      return addPing(tx, this.deliveries, webhookId);
    };
    return this.requesting(webhookId, repeatable, add).catch(async (error: unknown) => {
      // A wrong clock has closed the current partition; `prepare` reopens it.
      if (codeOf(error) !== CLOSED_STATE) throw error;
      await this.purge.prepare();
      return this.requesting(webhookId, repeatable, add);
    });
  }

  /**
   * Requests an immediate attempt, even after a success.
   * @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: the webhook is disabled, or too many pings are pending.
   */
  async attempt(
    webhookId: string,
    id: string,
    repeatable: RepeatableRequest | undefined,
  ): Promise<IdempotentCreation<Delivery>> {
    const { resource } = await this.get(webhookId, id);
    return this.requesting(webhookId, repeatable, async (tx) => {
      if (resource.type === PING) await this.requireRoomForPing(tx, webhookId, id);
      await this.requireEnabled(tx, webhookId);
      return requestAttempt(tx, this.deliveries, webhookId, id);
    });
  }

  /**
   * Sends the events after a position again, up to the last one that was sent.
   * @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: the webhook is disabled.
   * @throws {ExpiredCursorError} 400: some events after the position are no longer stored.
   */
  async replay(
    webhookId: string,
    { after, only = null }: ReplayInput,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<Replay>> {
    const { etag, resource } = await this.webhooks.get(webhookId);
    if (resource.disabled) throw webhookDisabled();
    await this.events.requireKept(after);
    const location = `/webhooks/${webhookId}/deliveries`;
    const made = await this.idempotency.run(repeatable, 'replayable', async (tx) => {
      const state = await lockState(this.database, tx, webhookId);
      await this.requireEnabled(tx, webhookId);
      const to = state?.begun ?? null;
      if (state !== undefined && to !== null && to > after)
        await requestReplay(tx, webhookId, state, { after, to, only });
      return { resource: { after, only, up_to: to }, etag, location };
    });
    this.dispatcher.wake();
    this.audit.record('webhook_replayed', source, webhookId, { after, only });
    return made;
  }

  private async requesting(
    webhookId: string,
    repeatable: RepeatableRequest | undefined,
    work: (tx: Transaction) => Promise<Tagged<Delivery>>,
  ): Promise<IdempotentCreation<Delivery>> {
    const requested = await this.deliveries.createOnce(work, {
      path: `/webhooks/${webhookId}/deliveries`,
      repeatable,
    });
    this.dispatcher.wake();
    return requested;
  }

  /**
   * Locks the webhook's state, so that concurrent pings are counted sequentially.
   * @param besides id of a ping to exclude.
   */
  private async requireRoomForPing(tx: Transaction, webhookId: string, besides?: string): Promise<void> {
    await lockState(this.database, tx, webhookId);
    if ((await pingsUnderWay(tx, webhookId, besides)) >= MAX_PINGS) throw tooManyPings();
  }

  private async requireEnabled(tx: Transaction, webhookId: string): Promise<void> {
    const [row] = await tx.query<{ disabled: number }>('SELECT disabled FROM webhooks WHERE id = $1', [webhookId]);
    if (row?.disabled !== 0) throw webhookDisabled();
  }
}
