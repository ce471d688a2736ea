/** What an order may be. SPEC §3 */
export const ORDER_STATUSES = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled'] as const;

/** One of {@link ORDER_STATUSES}. */
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What an order may become next; nothing, where it is final. SPEC §3 */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['shipped', 'cancelled'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
};

/** What only staff, the role `admin`, makes of an order; the rest its owner may do as well. SPEC §3 */
export const STAFF_STATUSES: readonly OrderStatus[] = ['shipped', 'delivered'];

/** What is ordered of one item. SPEC §2 */
export interface OrderLineInput {
  readonly item_id: string;
  /** 1–10 000. */
  readonly quantity: number;
}

/** What a client sends to place an order. SPEC §2.3 */
export interface OrderInput {
  /** 1–100. */
  readonly lines: readonly OrderLineInput[];
}

/** A line of an order, with the item's name and price at the moment of the order. SPEC §2 */
export interface OrderLine extends OrderLineInput {
  readonly name: string;
  /** In the service's currency, at most two decimals. */
  readonly unit_price: number;
}

/** An order as the service shows it. SPEC §2 */
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

/** What a client sends to change the status of an order. SPEC §3 */
export interface TransitionInput {
  readonly to: OrderStatus;
}

/** A change of an order's status, as the service shows it. SPEC §3 */
export interface Transition extends TransitionInput {
  /** UUIDv7, made by the service. */
  readonly id: string;
  readonly from: OrderStatus;
  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
}
