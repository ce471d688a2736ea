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

/** The collection of orders: whose they are, and what they do beyond other collections. SPEC §3 */
@Injectable()
export class OrdersService {
  constructor(
    @InjectCollection(orderCollection) private readonly orders: CollectionOf<typeof orderCollection>,
    @InjectCollection(itemCollection) private readonly items: CollectionOf<typeof itemCollection>,
    private readonly owners: Owners,
  ) {}

  /** Everybody's. */
  listAll(request: ListRequest, path: string): MaybePromise<ListAnswer<Order>> {
    return this.orders.list(request, path, ALL_PARENTS);
  }

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404: there is no such user. */
  async list(owner: Owner, request: ListRequest, path: string): Promise<ListAnswer<Order>> {
    return this.orders.list(request, path, await this.keysOf(owner));
  }

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404 */
  async get(owner: Owner, id: string): Promise<Tagged<Order>> {
    return this.orders.get(id, await this.keysOf(owner));
  }

  /**
   * Places an order, with the items' names and prices: all read by one statement, so as they were at one moment.
   * @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404: there is no such user.
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

  /** Whose orders they are, a deleted user's included. @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404 */
  keysOf(owner: Owner): Promise<OwnerKeys> {
    return this.owners.existingOrDeleted(owner, this.orders);
  }

  /**
   * @param owner whose order it is.
   * @returns what the order was.
   * @throws {ResourceNotFoundError} 404 @throws {ConflictError} 409: what the order is cannot become that.
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
