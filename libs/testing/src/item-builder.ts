import { randomUUID } from 'node:crypto';

export interface ItemBody {
  readonly name: string;
  readonly description?: string | null;
  readonly color?: string | null;
  readonly price?: number | null;
}

/** Returns a valid item with the fields that a test needs. */
export function itemInput(overrides: Partial<ItemBody> = {}): ItemBody {
  return { name: 'Lamp', description: 'Warm white, with a switch', color: 'red', price: 19.99, ...overrides };
}

/** Returns a colour that no other test uses, so that a filtered list contains only this test's items. */
export function freshColor(): string {
  return `c-${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}
