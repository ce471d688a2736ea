import type { Origin } from '../database/origin.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { StampedWrite } from './stamp-terms.js';

export interface CollectionEvents<Resource> {
  /** Prefix of the event types: `order` in `order.created`. */
  readonly subject: string;
  /** Suffixes of the event types. Default: `created`, `updated` and `deleted`. */
  readonly kinds?: readonly string[];
  /**
   * Returns the last part of the event's type. Default: `created`, `updated` or `deleted`. Null: no event.
   * @param before Undefined for a creation.
   * @param after Undefined for a deletion.
   */
  readonly kindOf?: (before: Resource | undefined, after: Resource | undefined) => string | null;
  /** Field with the id of the user who owns the event. Default: no owner. */
  readonly owner?: keyof Resource & string;
  readonly fields?: readonly (keyof Resource & string)[];
}

export interface CollectionAudit {
  readonly subject: string;
  /** Suffixes of the types of audit entries. A change with another suffix is not recorded. */
  readonly kinds: readonly string[];
  readonly updateKind?: (changed: readonly string[]) => string;
}

/** Facts about a change that the rows do not show. */
export interface AuditNote {
  /** Suffix of the audit entry's type, such as `rotated`. Default: derived from the rows. Null suppresses the entry. */
  readonly kind?: string | null;
  /** Names of changed fields without a column, such as `password`. */
  readonly changed?: readonly string[];
  /** Last part of the type in an update's event and audit entry. Default: derived from the rows. */
  readonly event?: string | undefined;
}

export const ROTATED: AuditNote = { kind: 'rotated' };
/** Suppresses the audit entry of a change that is part of another recorded change. */
export const UNRECORDED: AuditNote = { kind: null };

export interface RecordedChange {
  readonly before: VersionedRow | undefined;
  readonly after: VersionedRow | undefined;
  readonly origin: Origin | undefined;
  readonly note?: AuditNote | undefined;
  /** The change affects no row of the collection, so it makes only an audit entry. */
  readonly hasNoRow?: boolean;
}

/** Builds the statements that insert the event and audit entry of a change. */
export interface ChangeRecorder {
  /** False for a collection with only an audit. */
  readonly recordsEvents: boolean;
  record(change: RecordedChange): readonly StampedWrite[];
}
