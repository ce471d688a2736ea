import type { OrderStatus, Transition } from '@items/contracts';
import { Inject, Injectable } from '@nestjs/common';

import type { CollectionService } from '../collections/collection-service.js';
import { collectionToken } from '../collections/collections.module.js';
import type { Within } from '../collections/within.js';
import type { IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import { OrdersService } from './orders.service.js';
import { transitionCollection, type MadeTransition } from './transition.collection.js';
import type { TransitionEntity } from './transition.entity.js';

/** The writes of the collection of an order's transitions. decisions §3 */
@Injectable()
export class TransitionsService {
  constructor(
    @Inject(collectionToken('transitions'))
    readonly transitions: CollectionService<TransitionEntity, Transition, MadeTransition>,
    private readonly orders: OrdersService,
  ) {}

  /** What belongs to an order. @param within whose order it is. @throws {ResourceNotFoundError} 404 */
  async of(orderId: string, within: Within): Promise<Within> {
    await this.orders.orders.get(orderId, within);
    return { order_id: orderId };
  }

  /**
   * Changes the status of an order. Of several at once, each is judged by what the one before has made of it.
   * @param within whose order it is.
   * @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: what the order is cannot become that. @throws {IdempotencyKeyReusedError} 422
   */
  make(
    to: OrderStatus,
    orderId: string,
    path: string,
    repeatable: RepeatableRequest | undefined,
    within: Within,
  ): Promise<IdempotentCreation<Transition>> {
    return this.transitions.createWith(path, repeatable, 'replayable', async (tx) => {
      const from = await this.orders.changeStatus(tx, orderId, to, within);
      return this.transitions.insert(tx, transitionCollection.accept({ order_id: orderId, from, to }));
    });
  }
}
