import type { Resource } from './resource.js';

export const ORDER_STATUSES = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled'] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The next statuses of each status; empty for a final one. SPEC §3 */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
};

/** Statuses that only the role `admin` may set. The owner of the order may also set the others. SPEC §3 */
export const STAFF_STATUSES: readonly OrderStatus[] = ['shipped', 'delivered'];

export interface OrderLineInput {
  readonly item_id: string;
  readonly quantity: number;
}

/** 1–100 lines, each with a quantity of 1–10 000. SPEC §2.3 */
export interface OrderInput {
  readonly lines: readonly OrderLineInput[];
}

/** A line with the name and price of the item at the time of the order. SPEC §2 */
export interface OrderLine extends OrderLineInput {
  readonly name: string;
  /** In the service's currency, at most two decimals. */
  readonly unit_price: number;
}

/** An order in a response. SPEC §2.3 */
export interface Order extends Resource {
  readonly user_id: string;
  readonly status: OrderStatus;
  readonly lines: readonly OrderLine[];
  /** Exact; 0 – 999 999 999.99 in the service's currency. */
  readonly total: number;
}

export interface TransitionInput {
  readonly to: OrderStatus;
}

/** A change of an order's status, in a response. SPEC §3 */
export interface Transition extends TransitionInput, Omit<Resource, 'updated_at'> {
  readonly from: OrderStatus;
}
