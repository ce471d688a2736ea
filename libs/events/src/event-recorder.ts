import type { Identified } from '@items/collections';
import type { ChangeRecorder, CollectionEvents, Parameters, StampedWrite } from '@items/collections/parts';
import type { Dialect, SqlValue } from '@items/store';
import type { VersionedRow } from '@items/store/parts';

import { idSql, randomTail } from './event-id.js';

/** How one collection's events are written. */
export interface RecorderOptions<Resource extends Identified> {
  readonly dialect: Dialect;
  readonly events: CollectionEvents<Resource>;
  /** The row as the service shows it. */
  readonly present: (row: VersionedRow) => Resource;
  /** The version in whose form resources are shown. */
  readonly apiVersion: string;
  /** Hears of each event that is being written, before it is committed. */
  readonly onEvent?: () => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes the event of each change: one more row of the statement that stamps the change, with the same stamp. */
export class EventRecorder<Resource extends Identified> implements ChangeRecorder {
  constructor(private readonly options: RecorderOptions<Resource>) {}

  record(before: VersionedRow | undefined, after: VersionedRow | undefined): StampedWrite | undefined {
    const { dialect, events, apiVersion, present, onEvent } = this.options;
    const row = after ?? before;
    if (row === undefined) throw new Error('There is no change where there was no row and is none.');
    const [was, is] = [before && present(before), after && present(after)];
    const resource = (is ?? was) as Resource;
    const kind = this.kindOf(was, is);
    if (kind === null) return undefined;
    const values: readonly SqlValue[] = [
      `${events.subject}.${kind}`,
      row.id,
      events.owner === undefined ? null : (resource[events.owner] as string),
      apiVersion,
      JSON.stringify(this.dataOf(resource, is && was)),
    ];
    onEvent?.();
    return (params: Parameters) => {
      const id = idSql(dialect, 'stamp.seq', params.add(randomTail('event')));
      return `INSERT INTO events (id, type, object_id, owner_id, api_version, data)
        SELECT ${id}, ${values.map((value) => params.add(value)).join(', ')} FROM stamp`;
    };
  }

  private kindOf(was: Resource | undefined, is: Resource | undefined): string | null {
    const { kindOf, updateKind } = this.options.events;
    if (kindOf !== undefined) return kindOf(was, is);
    if (was === undefined) return 'created';
    return is === undefined ? 'deleted' : (updateKind?.(is) ?? 'updated');
  }

  private dataOf(resource: Resource, former: Resource | undefined): object {
    const object = this.told(resource);
    if (former === undefined) return { object };
    const was = this.told(former);
    const changed = Object.keys(object).filter((field) => !isSame(object[field], was[field]));
    return { object, previous: Object.fromEntries(changed.map((field) => [field, was[field]])) };
  }

  private told(resource: Resource): Fields {
    const { fields } = this.options.events;
    if (fields === undefined) return resource as unknown as Fields;
    return Object.fromEntries(fields.map((field) => [field, resource[field]]));
  }
}

/** Both were made by the same function: what is the same is written the same. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
