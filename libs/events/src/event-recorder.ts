import type { Identified } from '@items/collections';
import type { ChangeRecorder, CollectionEvents, StampedWrite } from '@items/collections/parts';
import type { Dialect, SqlValue } from '@items/store';
import type { VersionedRow } from '@items/store/parts';

import { randomTail } from './event-id.js';
import { identitySql } from './event-key.js';

/** How one collection's events are written. */
export interface RecorderOptions<Resource extends Identified> {
  readonly dialect: Dialect;
  readonly events: CollectionEvents<Resource>;
  /** The row as the service shows it. */
  readonly present: (row: VersionedRow) => Resource;
  /** The same as JSON. */
  readonly write: (row: VersionedRow) => string;
  /** The version in whose form resources are shown. */
  readonly apiVersion: string;
  /** Hears of each event that is being written, before it is committed. */
  readonly onEvent?: () => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes the event of each change: one more row of the statement that stamps the change, with the same stamp. */
export class EventRecorder<Resource extends Identified> implements ChangeRecorder {
  private readonly text: StampedWrite['text'];

  constructor(private readonly options: RecorderOptions<Resource>) {
    this.text = ([tail = '', ...placeholders], stamp) => {
      const { columns, values } = identitySql(options.dialect, stamp.seq, tail, 'event');
      return `INSERT INTO events (${columns}, type, object_id, owner_id, api_version, data)
        ${stamp.row([values, ...placeholders])}`;
    };
  }

  record(before: VersionedRow | undefined, after: VersionedRow | undefined): StampedWrite | undefined {
    const { events, apiVersion, present, write, onEvent } = this.options;
    const row = after ?? before;
    if (row === undefined) throw new Error('There is no change where there was no row and is none.');
    const isPlain = this.isPlain && (before === undefined || after === undefined);
    // What is told as it is written need not be made as an object first.
    const [was, is] = isPlain ? [] : [before && present(before), after && present(after)];
    const kind = isPlain ? (after === undefined ? 'deleted' : 'created') : this.kindOf(was, is);
    if (kind === null) return undefined;
    const resource = (is ?? was) as Resource;
    const values: readonly SqlValue[] = [
      randomTail('event'),
      `${events.subject}.${kind}`,
      row.id,
      events.owner === undefined ? null : (resource[events.owner] as string),
      apiVersion,
      isPlain ? `{"object":${write(row)}}` : this.dataOf(row, resource, is && was),
    ];
    onEvent?.();
    return { shape: 'event', values, text: this.text };
  }

  /** Whether events of additions and deletions say nothing but what a member is. */
  private get isPlain(): boolean {
    const { kindOf, owner, fields } = this.options.events;
    return kindOf === undefined && owner === undefined && fields === undefined;
  }

  private kindOf(was: Resource | undefined, is: Resource | undefined): string | null {
    const { kindOf, updateKind } = this.options.events;
    if (kindOf !== undefined) return kindOf(was, is);
    if (was === undefined) return 'created';
    return is === undefined ? 'deleted' : (updateKind?.(is) ?? 'updated');
  }

  /** JSON of `{object, previous}`. */
  private dataOf(row: VersionedRow, resource: Resource, former: Resource | undefined): string {
    const is = this.told(resource);
    const object = this.options.events.fields === undefined ? this.options.write(row) : JSON.stringify(is);
    if (former === undefined) return `{"object":${object}}`;
    const was = this.told(former);
    const previous: Record<string, unknown> = {};
    for (const field of Object.keys(is)) if (!isSame(is[field], was[field])) previous[field] = was[field];
    return `{"object":${object},"previous":${JSON.stringify(previous)}}`;
  }

  private told(resource: Resource): Fields {
    const { fields } = this.options.events;
    if (fields === undefined) return resource as unknown as Fields;
    return Object.fromEntries(fields.map((field) => [field, resource[field]]));
  }
}

/** Both were made by the same function: what is the same is written the same. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
