import type { CollectionDefinition, Identified } from '@items/collections';
import type { CollectionEvents } from '@items/collections/parts';

/** What the feed needs to know of a collection. */
export type EmittingCollection<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'events' | 'present' | 'write' | 'writeFormer'
>;

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
