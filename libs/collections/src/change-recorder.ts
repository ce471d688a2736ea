import type { VersionedRow } from '@items/store/parts';

import type { StampedWrite } from './stamp-terms.js';

/** How a collection tells of its changes, where it tells more than each of them with the whole of its members. */
export interface CollectionEvents<Resource> {
  /** The first word of their kinds: `order` of `order.created`. */
  readonly subject: string;
  /** The second words; `created`, `updated` and `deleted` where they are left out. */
  readonly kinds?: readonly string[];
  /** The second word for an update, by what the member has become; `updated` where it is left out. */
  readonly updateKind?: (resource: Resource) => string;
  /**
   * Which changes are told, and by which second word; null for one that is not. Asked in the place of what the other two
   * say. @param before undefined for a creation. @param after undefined for a deletion.
   */
  readonly kindOf?: (before: Resource | undefined, after: Resource | undefined) => string | null;
  /** The field with the id of the user whose own an event is; nobody's where it is left out. */
  readonly owner?: keyof Resource & string;
  /** The fields of a member that are told; all where they are left out. */
  readonly fields?: readonly (keyof Resource & string)[];
}

/** Records changes of a collection by one more write under their stamp: both are committed, or neither is. */
export interface ChangeRecorder {
  /**
   * @param before undefined for a creation. @param after undefined for a deletion.
   * @returns undefined for a change that is not told.
   */
  record(before: VersionedRow | undefined, after: VersionedRow | undefined): StampedWrite | undefined;
}
