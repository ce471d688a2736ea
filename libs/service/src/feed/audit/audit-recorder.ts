import type { HasId } from '../../data/definition/collection.js';
import type { CollectionAudit, CollectionEvents, RecordedChange } from '../../data/definition/change-recorder.js';
import type { StampedWrite } from '../../data/definition/stamp-terms.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { SYSTEM } from '../../data/database/origin.js';

import { insertEvent } from '../event-key.js';
import { eventsOf, type EmittingCollection } from '../event-kinds.js';
import type { FeedWatch } from '../feed-watch.js';

const COLUMNS = 'type, object_id, actor_type, user_id, credential_id, client_id, address, request_id, changed';

/** Inserts the audit record in the transaction of the change; on PostgreSQL, in the same statement. */
export class AuditRecorder<Resource extends HasId> {
  private readonly text: StampedWrite['text'];
  private readonly events: CollectionEvents<Resource> | undefined;

  constructor(
    dialect: Dialect,
    private readonly collection: EmittingCollection<Resource>,
    private readonly rules: CollectionAudit,
    private readonly watch: Pick<FeedWatch, 'pollSoon'>,
  ) {
    this.events = eventsOf(collection);
    this.text = insertEvent(dialect, 'audit_events', COLUMNS);
  }

  /** @param tail Last digits of the id, as in the id of the change's event. */
  record(change: RecordedChange, tail: string): StampedWrite | undefined {
    const { after, before, origin = SYSTEM, note } = change;
    const row = after ?? before;
    if (row === undefined) throw new Error('A recorded change needs the row before or after it.');
    const changed =
      before === undefined || after === undefined
        ? []
        : [...this.collection.changedFields(before, after), ...(note?.changed ?? [])].sort();
    const kind = note?.kind === undefined ? this.kindOf(change, changed) : note.kind;
    if (kind === null || !this.rules.kinds.includes(kind)) return undefined;
    this.watch.pollSoon?.();
    const type = `${this.rules.subject}.${kind}`;
    const names = note?.kind === undefined ? changed : [];
    const { actorType, userId, credentialId, clientId, address, requestId } = origin;
    const actor = [actorType, userId, credentialId, clientId, address, requestId];
    return { shape: 'audit', values: [tail, type, row.id, ...actor, JSON.stringify(names)], text: this.text };
  }

  private kindOf({ before, after, note }: RecordedChange, changed: readonly string[]): string {
    if (note?.event !== undefined) return note.event;
    const { present } = this.collection;
    const customKind = this.events?.kindOf?.(before && present(before), after && present(after));
    if (customKind !== undefined && customKind !== null) return customKind;
    if (before === undefined) return 'created';
    if (after === undefined) return 'deleted';
    return this.rules.updateKind?.(changed) ?? 'updated';
  }
}
