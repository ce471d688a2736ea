import { randomUUID } from 'node:crypto';

/** What `POST /items` accepts. */
export interface ItemBody {
  readonly name: string;
  readonly description?: string | null;
  readonly color?: string | null;
  readonly price?: number | null;
}

/** A valid item; whatever a test is about is given by it. */
export function itemInput(overrides: Partial<ItemBody> = {}): ItemBody {
  return { name: 'Lamp', description: 'Warm white, with a switch', color: 'red', price: 19.99, ...overrides };
}

/** A colour that no other test uses, so that a filtered list holds this test's items only; 30 code points at most. */
export function freshColor(): string {
  return `c-${randomUUID().replaceAll('-', '').slice(0, 20)}`;
}
