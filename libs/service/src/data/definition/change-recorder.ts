import type { Origin } from '../database/origin.js';
import type { VersionedRow } from '../database/versioned-row.js';

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
   * Which changes make an event, and its second word; null for one that makes none. Called in place of what the other two
   * say. @param before undefined for a creation. @param after undefined for a deletion.
   */
  readonly kindOf?: (before: Resource | undefined, after: Resource | undefined) => string | null;
  /** The field with the id of the user whose own an event is; without it, an event is no user's own. */
  readonly owner?: keyof Resource & string;
  /** The fields of a member that events show; all where they are left out. */
  readonly fields?: readonly (keyof Resource & string)[];
}

/** How the changes of a collection are audited. */
export interface CollectionAudit {
  /** The first word of their types: `api_key` of `api_key.created`. */
  readonly subject: string;
  /** The second words; a change of another kind is not recorded. */
  readonly kinds: readonly string[];
  /** The second word for an update, by the names of the fields that changed; `updated` where it is left out. */
  readonly updateKind?: (changed: readonly string[]) => string;
}

/** What an audit says of a change beyond what the rows do. */
export interface AuditNote {
  /** The second word of its type, such as `rotated`; by the rows where it is left out. Null: it is not recorded. */
  readonly kind?: string | null;
  /** Fields that changed and stand in no row, such as a password. */
  readonly changed?: readonly string[];
}

/** Of an update that only replaces a secret. */
export const ROTATED: AuditNote = { kind: 'rotated' };
/** Of a change that another one makes, which is recorded. */
export const UNRECORDED: AuditNote = { kind: null };

/** A change of a collection: who makes it, and what is to be said of it. */
export interface RecordedChange {
  /** Undefined for a creation. */
  readonly before: VersionedRow | undefined;
  /** Undefined for a deletion. */
  readonly after: VersionedRow | undefined;
  /** Undefined for the service itself. */
  readonly origin: Origin | undefined;
  readonly note?: AuditNote | undefined;
  /** It stands in no row of the collection: only an audit tells of it. */
  readonly isBeside?: boolean;
}

/** Records changes of a collection by more writes under their stamp: all are committed, or none is. */
export interface ChangeRecorder {
  /** Whether the feed of events knows of each write: the changes of the collection make events. */
  readonly isFeedWhole: boolean;
  /** @returns none for a change that is not told. */
  record(change: RecordedChange): readonly StampedWrite[];
}
