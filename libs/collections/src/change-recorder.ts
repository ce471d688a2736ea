import type { VersionedRow } from '@items/store/parts';

import type { StampedWrite } from './lane-clock.js';

/** How a collection tells of its changes, where it tells more than each of them with the whole of its members. */
export interface CollectionEvents<Resource> {
  /** The first word of their kinds: `order` of `order.created`. */
  readonly subject: string;
  /** The second words; `created`, `updated` and `deleted` where they are left out. */
  readonly kinds?: readonly string[];
  /** The second word for an update, by what the member has become; `updated` where it is left out. */
  readonly updateKind?: (resource: Resource) => string;
  /** The field with the id of the user whose own an event is; nobody's where it is left out. */
  readonly owner?: keyof Resource & string;
  /** The fields of a member that are told; all where they are left out. */
  readonly fields?: readonly (keyof Resource & string)[];
}

/** Records each change of a collection by one more write under its stamp: both are committed, or neither is. */
export interface ChangeRecorder {
  /** @param before undefined for a creation. @param after undefined for a deletion. */
  record(before: VersionedRow | undefined, after: VersionedRow | undefined): StampedWrite;
}
