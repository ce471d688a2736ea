import type { CollectionDefinition, Identified } from '../data/definition/collection.js';
import type { CollectionAudit, CollectionEvents } from '../data/definition/change-recorder.js';

/** What the feed needs to know of a collection. */
export type EmittingCollection<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'events' | 'audit' | 'present' | 'toJson' | 'formerToJson' | 'changedFields'
>;

/** As much of it as says how it is audited. */
export interface AuditedCollection {
  readonly audit?: CollectionAudit;
  readonly events?: string | Pick<CollectionEvents<never>, 'subject' | 'kinds'>;
}

const KINDS = ['created', 'updated', 'deleted'];

/** What a collection says of its events, in the long form; undefined where it makes none. */
export function eventsOf<Resource extends Identified>({
  events,
}: Pick<EmittingCollection<Resource>, 'events'>): CollectionEvents<Resource> | undefined {
  return typeof events === 'string' ? { subject: events } : events;
}

/** The kinds of a collection's events: `item.created`. */
export function kindsOf<Resource extends Identified>(
  collection: Pick<EmittingCollection<Resource>, 'events'>,
): readonly string[] {
  const events = eventsOf(collection);
  return events === undefined ? [] : (events.kinds ?? KINDS).map((kind) => `${events.subject}.${kind}`);
}

/** How a collection is audited: as it says, else as its events are named; undefined where it is not. */
export function auditOf({ audit, events }: AuditedCollection): CollectionAudit | undefined {
  if (audit !== undefined || events === undefined) return audit;
  const { subject, kinds = KINDS } = typeof events === 'string' ? { subject: events } : events;
  return { subject, kinds };
}

/** The types of a collection's audit events: `api_key.rotated`. */
export function auditTypesOf(collection: AuditedCollection): readonly string[] {
  const audit = auditOf(collection);
  return audit === undefined ? [] : audit.kinds.map((kind) => `${audit.subject}.${kind}`);
}
