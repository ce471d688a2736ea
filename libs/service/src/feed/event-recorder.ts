import type { HasId } from '../data/definition/collection.js';
import type { CollectionEvents, RecordedChange, ChangeRecorder } from '../data/definition/change-recorder.js';
import type { StampedWrite } from '../data/definition/stamp-terms.js';
import type { Dialect } from '../data/schema/dialect.js';
import type { VersionedRow } from '../data/database/versioned-row.js';
import { insertEvent } from './event-key.js';
import type { FeedWatch } from './feed-watch.js';
import { randomTail } from './event-id.js';

export interface RecorderOptions<Resource extends HasId> {
  readonly dialect: Dialect;
  readonly events: CollectionEvents<Resource>;
  readonly present: (row: VersionedRow) => Resource;
  readonly toJson: (row: VersionedRow) => string;
  readonly formerToJson: (before: VersionedRow, after: VersionedRow) => string;
  readonly apiVersion: string;
  readonly watch?: Pick<FeedWatch, 'pollSoon'>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Inserts the event in the transaction of the change; on PostgreSQL, in the same statement. */
export class EventRecorder<Resource extends HasId> {
  private readonly text: StampedWrite['text'];
  private readonly isPlain: boolean;

  constructor(private readonly options: RecorderOptions<Resource>) {
    const { kindOf, owner, fields } = options.events;
    this.isPlain = [kindOf, owner, fields].every((rule) => rule === undefined);
    this.text = insertEvent(options.dialect, 'events', 'type, object_id, owner_id, api_version, data');
  }

  record({ before, after, hasNoRow, note }: RecordedChange, tail: string): StampedWrite | undefined {
    const { events, apiVersion, watch } = this.options;
    if (hasNoRow) return undefined;
    const row = after ?? before;
    if (row === undefined) throw new Error('A recorded change needs the row before or after it.');
    const content = this.isPlain ? this.plain(row, before, after) : this.byRules(row, before, after);
    if (content === undefined) return undefined;
    const { kind, owner, data } = content;
    const type = `${events.subject}.${note?.event ?? kind}`;
    // Not committed yet: the watch polls soon. If the commit takes longer, its next regular poll finds the event.
    watch?.pollSoon?.();
    return { shape: 'event', values: [tail, type, row.id, owner, apiVersion, data], text: this.text };
  }

  /** Serializes the row without building the resource. */
  private plain(row: VersionedRow, before: VersionedRow | undefined, after: VersionedRow | undefined) {
    const { toJson, formerToJson } = this.options;
    const object = `{"object":${toJson(row)}`;
    if (before === undefined) return { kind: 'created', owner: null, data: `${object}}` };
    if (after === undefined) return { kind: 'deleted', owner: null, data: `${object}}` };
    return { kind: 'updated', owner: null, data: `${object},"previous":${formerToJson(before, after)}}` };
  }

  private byRules(row: VersionedRow, before: VersionedRow | undefined, after: VersionedRow | undefined) {
    const { events, present } = this.options;
    const [was, is] = [before && present(before), after && present(after)];
    const kind = this.kindOf(was, is);
    if (kind === null) return undefined;
    const resource = (is ?? was) as Resource;
    const owner = events.owner === undefined ? null : (resource[events.owner] as string);
    return { kind, owner, data: this.dataOf(row, resource, is && was) };
  }

  private kindOf(was: Resource | undefined, is: Resource | undefined): string | null {
    const { kindOf } = this.options.events;
    if (kindOf !== undefined) return kindOf(was, is);
    if (was === undefined) return 'created';
    return is === undefined ? 'deleted' : 'updated';
  }

  private dataOf(row: VersionedRow, resource: Resource, former: Resource | undefined): string {
    const is = this.visibleFields(resource);
    const object = this.options.events.fields === undefined ? this.options.toJson(row) : JSON.stringify(is);
    if (former === undefined) return `{"object":${object}}`;
    const was = this.visibleFields(former);
    const previous: Record<string, unknown> = {};
    for (const field of Object.keys(is)) if (!isSame(is[field], was[field])) previous[field] = was[field];
    return `{"object":${object},"previous":${JSON.stringify(previous)}}`;
  }

  private visibleFields(resource: Resource): Fields {
    const { fields } = this.options.events;
    if (fields === undefined) return resource as unknown as Fields;
    return Object.fromEntries(fields.map((field) => [field, resource[field]]));
  }
}

/** `present` made both values, so equal values have equal JSON. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

interface Recorder {
  record(change: RecordedChange, tail: string): StampedWrite | undefined;
}

/** The event and the audit event of a change have the same id. */
export class ChangeRecorders implements ChangeRecorder {
  readonly recordsEvents: boolean;

  constructor(
    private readonly events: Recorder | undefined,
    private readonly audit: Recorder | undefined,
  ) {
    this.recordsEvents = events !== undefined;
  }

  record(change: RecordedChange): readonly StampedWrite[] {
    const tail = randomTail('event');
    const [event, audit] = [this.events?.record(change, tail), this.audit?.record(change, tail)];
    return [...(event ? [event] : []), ...(audit ? [audit] : [])];
  }
}
