import type { CollectionDefinition, HasId } from '../data/definition/collection.js';
import type { CollectionAudit, CollectionEvents } from '../data/definition/change-recorder.js';

export type EmittingCollection<Resource extends HasId> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'events' | 'audit' | 'present' | 'toJson' | 'formerToJson' | 'changedFields'
>;

export interface AuditedCollection {
  readonly audit?: CollectionAudit;
  readonly events?: string | Pick<CollectionEvents<never>, 'subject' | 'kinds'> | undefined;
}

const KINDS = ['created', 'updated', 'deleted'];

export function eventsOf<Resource extends HasId>({
  events,
}: Pick<EmittingCollection<Resource>, 'events'>): CollectionEvents<Resource> | undefined {
  return typeof events === 'string' ? { subject: events } : events;
}

export function kindsOf({ events }: AuditedCollection): readonly string[] {
  return auditTypesOf({ events });
}

/** @returns `audit`. Default: the subject and kinds of the events. */
export function auditOf({ audit, events }: AuditedCollection): CollectionAudit | undefined {
  if (audit !== undefined || events === undefined) return audit;
  const { subject, kinds = KINDS } = typeof events === 'string' ? { subject: events } : events;
  return { subject, kinds };
}

export function auditTypesOf(collection: AuditedCollection): readonly string[] {
  const { subject = '', kinds = [] } = auditOf(collection) ?? {};
  return kinds.map((kind) => `${subject}.${kind}`);
}
