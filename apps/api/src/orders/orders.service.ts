import type { Item, ItemInput, Order, OrderInput, OrderStatus } from '@items/contracts';
import { Inject, Injectable } from '@nestjs/common';

import type { Owned } from '../auth/owners.js';
import type { CollectionService } from '../collections/collection-service.js';
import { collectionToken } from '../collections/collections.module.js';
import type { Within } from '../collections/within.js';
import type { Transaction } from '../database/database.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import { captureLines } from './capture-lines.js';
import { orderCollection, type PlacedOrder } from './order.collection.js';
import type { OrderEntity } from './order.entity.js';
import { requireTransition } from './require-transition.js';

/** The writes of the collection of orders: what they do beyond those of other collections. decisions §3 */
@Injectable()
export class OrdersService {
  constructor(
    @Inject(collectionToken('orders')) readonly orders: CollectionService<OrderEntity, Order, PlacedOrder>,
    @Inject(collectionToken('items')) private readonly items: CollectionService<VersionedRow, Item, ItemInput>,
  ) {}

  /**
   * Places an order, with the items' names and prices: all read by one statement, so as they were at one moment.
   * @throws {ValidationError} 422: an item does not exist or has no price, or the total is too large.
   * @throws {ConflictError} 409 @throws {IdempotencyKeyReusedError} 422
   */
  place(
    { lines }: OrderInput,
    path: string,
    repeatable: RepeatableRequest | undefined,
    { user_id: userId }: Owned,
  ): Promise<IdempotentCreation<Order>> {
    return this.orders.createWith(path, repeatable, 'replayable', async (tx) => {
      const ids = lines.map((line) => line.item_id);
      const captured = captureLines(lines, await this.items.getAll(tx, ids));
      return this.orders.insert(tx, orderCollection.accept({ user_id: userId, lines: captured }));
    });
  }

  /**
   * @param within whose order it is.
   * @returns what the order was.
   * @throws {ResourceNotFoundError} 404 @throws {ConflictError} 409: what the order is cannot become that.
   */
  async changeStatus(tx: Transaction, id: string, to: OrderStatus, within: Within): Promise<OrderStatus> {
    let from = to;
    const judge = ({ status }: OrderEntity): Pick<OrderEntity, 'status'> => {
      requireTransition(status, to);
      from = status;
      return { status: to };
    };
    await this.orders.change(tx, id, judge, within);
    return from;
  }
}
