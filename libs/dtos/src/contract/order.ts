/** Statuses of an order. SPEC §3 */
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

/** Statuses that only the role `admin` may set. The owner may set the others too. SPEC §3 */
export const STAFF_STATUSES: readonly OrderStatus[] = ['shipped', 'delivered'];

/** A line of a new order. SPEC §2 */
export interface OrderLineInput {
  readonly item_id: string;
  /** 1–10 000. */
  readonly quantity: number;
}

/** The body to place an order. SPEC §2.3 */
export interface OrderInput {
  /** 1–100. */
  readonly lines: readonly OrderLineInput[];
}

/** A line of an order, with the name and price of the item at the time of the order. SPEC §2 */
export interface OrderLine extends OrderLineInput {
  readonly name: string;
  /** In the service's currency, at most two decimals. */
  readonly unit_price: number;
}

/** An order in a response. SPEC §2 */
export interface Order {
  /** UUIDv7, made by the service. */
  readonly id: string;
  readonly user_id: string;
  readonly status: OrderStatus;
  readonly lines: readonly OrderLine[];
  /** Exact; 0 – 999 999 999.99 in the service's currency. */
  readonly total: number;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
}

/** The body to change the status of an order. SPEC §3 */
export interface TransitionInput {
  readonly to: OrderStatus;
}

/** A change of an order's status, in a response. SPEC §3 */
export interface Transition extends TransitionInput {
  /** UUIDv7, made by the service. */
  readonly id: string;
  readonly from: OrderStatus;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}
