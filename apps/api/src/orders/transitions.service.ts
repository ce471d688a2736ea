import type { ListAnswer, ParentKeys, Tagged } from '@items/service/collections';
import type { OrderStatus, Transition } from '@items/dtos/contract';
import { type CollectionOf, InjectCollection } from '@items/service';
import type { ListRequest } from '@items/paging';
import { type IdempotentCreation, type RepeatableRequest, type Transaction } from '@items/service/store';
import { Injectable } from '@nestjs/common';

import type { Owner } from '@items/service/collections';
import type { ChangeSource } from '@items/service/collections';
import type { Principal } from '@items/service/collections';
import { OrdersService } from './orders.service.js';
import { requireStaff } from './require-staff.js';
import { transitionCollection } from './transition.collection.js';

export interface OrderOf {
  readonly owner: Owner;
  readonly orderId: string;
}

/** Operations of the transitions of an order. SPEC §3 */
@Injectable()
export class TransitionsService {
  constructor(
    @InjectCollection(transitionCollection) private readonly transitions: CollectionOf<typeof transitionCollection>,
    private readonly orders: OrdersService,
  ) {}

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404: the order does not exist. */
  async list(order: OrderOf, request: ListRequest, path: string): Promise<ListAnswer<Transition>> {
    return this.transitions.list(request, path, await this.keysOf(order));
  }

  /** @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404 */
  async get(order: OrderOf, id: string): Promise<Tagged<Transition>> {
    return this.transitions.get(id, await this.keysOf(order));
  }

  /**
   * Changes the status of an order. Concurrent changes run one after the other, each based on the previous result.
   * @throws {StaffOnlyError} 403 @throws {NoOwnUserError} 404 @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: the current status does not allow the new one. @throws {IdempotencyKeyReusedError} 422
   */
  async make(
    caller: Principal,
    { owner, orderId }: OrderOf,
    to: OrderStatus,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<IdempotentCreation<Transition>> {
    requireStaff(caller, to);
    const ownerKeys = await this.orders.keysOf(owner);
    const work = async (tx: Transaction): Promise<Tagged<Transition>> => {
      const from = await this.orders.changeStatus(tx, orderId, to, ownerKeys);
      return this.transitions.insert(tx, { order_id: orderId, from, to });
    };
    return this.transitions.transaction(work, { path, repeatable, origin: source });
  }

  private async keysOf({ owner, orderId }: OrderOf): Promise<ParentKeys> {
    await this.orders.get(owner, orderId);
    return { order_id: orderId };
  }
}
