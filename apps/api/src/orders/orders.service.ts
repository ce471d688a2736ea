import { ALL_PARENTS, type ListAnswer, type ParentKeys, type Tagged } from '@items/service/collections';
import type { MaybePromise } from '@items/conventions';
import type { Order, OrderInput, OrderStatus } from '@items/dtos/contract';
import { type CollectionOf, InjectCollection } from '@items/service';
import type { ListRequest } from '@items/paging';
import { type IdempotentCreation, type RepeatableRequest, type Transaction } from '@items/service/store';
import { Injectable } from '@nestjs/common';

import { Owners, type OwnerKeys } from '@items/service/collections';
import type { Owner } from '@items/service/collections';
import { itemCollection } from '../items/item.collection.js';
import type { ChangeSource } from '@items/service/collections';
import { captureLines } from './capture-lines.js';
import { totalOf } from './order-total.js';
import { orderCollection } from './order.collection.js';
import { requireTransition } from './require-transition.js';

/** Operations of orders, including those that other collections lack. SPEC §3 */
@Injectable()
export class OrdersService {
  constructor(
    @InjectCollection(orderCollection) private readonly orders: CollectionOf<typeof orderCollection>,
    @InjectCollection(itemCollection) private readonly items: CollectionOf<typeof itemCollection>,
    private readonly owners: Owners,
  ) {}

  /** Lists the orders of all users. */
  listAll(request: ListRequest, path: string): MaybePromise<ListAnswer<Order>> {
    return this.orders.list(request, path, ALL_PARENTS);
  }

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404: the user does not exist. */
  async list(owner: Owner, request: ListRequest, path: string): Promise<ListAnswer<Order>> {
    return this.orders.list(request, path, await this.keysOf(owner));
  }

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404 */
  async get(owner: Owner, id: string): Promise<Tagged<Order>> {
    return this.orders.get(id, await this.keysOf(owner));
  }

  /**
   * Places an order. One statement reads the names and prices of all items, so they are consistent.
   * @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404: the user does not exist.
   * @throws {ValidationError} 422: an item does not exist or has no price, or the total is too large.
   * @throws {ConflictError} 409 @throws {IdempotencyKeyReusedError} 422
   */
  async place(
    owner: Owner,
    { lines }: OrderInput,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<IdempotentCreation<Order>> {
    const { user_id: userId } = await this.owners.existing(owner);
    const work = async (tx: Transaction): Promise<Tagged<Order>> => {
      const ids = lines.map((line) => line.item_id);
      const captured = captureLines(lines, await this.items.getAll(tx, ids));
      return this.orders.insert(tx, { user_id: userId, lines: captured, total: totalOf(captured) });
    };
    return this.orders.transaction(work, { path, repeatable, origin: source });
  }

  /**
   * Returns the parent keys of an owner, who may be a deleted user.
   * @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404
   */
  keysOf(owner: Owner): Promise<OwnerKeys> {
    return this.owners.existingOrDeleted(owner, this.orders);
  }

  /**
   * Changes the status of an order.
   * @param owner owner of the order.
   * @returns the previous status.
   * @throws {ResourceNotFoundError} 404 @throws {ConflictError} 409: the current status does not allow the new one.
   */
  async changeStatus(tx: Transaction, id: string, to: OrderStatus, owner: ParentKeys): Promise<OrderStatus> {
    let from = to;
    const judge = ({ status }: Order): Pick<Order, 'status'> => {
      requireTransition(status, to);
      from = status;
      return { status: to };
    };
    await this.orders.lockAndUpdate(tx, id, judge, owner);
    return from;
  }
}
