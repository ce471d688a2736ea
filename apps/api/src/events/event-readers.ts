import type { CollectionDefinition } from '@items/collections';
import { isScope, type Scope } from '@items/contracts';
import { InsufficientScopeError } from '@items/errors';
import { kindsOf, type Visibility } from '@items/events';
import type { DescribedEvents } from '@items/openapi';

import * as collections from '../collection-modules.js';
import { orderCollection } from '../orders/order.collection.js';
import type { Principal } from '../principal/principal.js';
import { userCollection } from '../users/user.collection.js';
import { webhookCollection } from '../webhooks/webhook.collection.js';

interface Readers extends DescribedEvents {
  readonly scope: Scope;
  /** Whether only administrators see those that are not their own. */
  readonly ownOnly: boolean;
}

/** As much of a collection of the list as says who may read its events. */
type ListedCollection = DescribedEvents['collection'] & Pick<CollectionDefinition<never, object>, 'events'>;

/** Who may read which events: who may read the resources. SPEC §6.1 */
const READERS: readonly Readers[] = [
  ...Object.values(collections).flatMap(({ collection }) => readersOf(collection)),
  { collection: orderCollection, kinds: kindsOf(orderCollection), scope: 'orders:read', ownOnly: true },
  { collection: userCollection, kinds: kindsOf(userCollection), scope: 'users:read', ownOnly: true },
  { collection: webhookCollection, kinds: kindsOf(webhookCollection), scope: 'webhooks:manage', ownOnly: false },
];

/** Every collection that tells of its changes, and the kinds of its events. */
export const EMITTERS: readonly DescribedEvents[] = READERS;

/** One of them lets a credential read some events. */
export const EVENT_SCOPES = READERS.map(({ scope }) => scope) as [Scope, ...Scope[]];

/** All kinds of events. */
export const EVENT_KINDS = READERS.flatMap(({ kinds }) => kinds);

/**
 * Who may read the events of a collection of the list: who may list it, by the scope of its name, and where events belong
 * to users, each their own.
 * @returns none where it tells of no changes.
 * @throws {Error} there is no scope of its name.
 */
export function readersOf(collection: ListedCollection): readonly Readers[] {
  const kinds = kindsOf(collection);
  if (kinds.length === 0) return [];
  const scope = `${collection.name.replaceAll('_', '-')}:read`;
  if (!isScope(scope)) {
    throw new Error(
      `The collection "${collection.name}" makes events, and nothing says who may read them: add the scope "${scope}" to its contract.`,
    );
  }
  const { events } = collection;
  return [{ collection, kinds, scope, ownOnly: typeof events === 'object' && events.owner !== undefined }];
}

/** What a credential may see. */
export function visibilityOf({
  scopes,
  isAdmin,
  userId,
}: Pick<Principal, 'scopes' | 'isAdmin' | 'userId'>): Visibility {
  const readable = READERS.filter(({ scope }) => scopes.has(scope));
  const isOwn = ({ ownOnly }: Readers): boolean => ownOnly && !isAdmin;
  return {
    all: readable.filter((readers) => !isOwn(readers)).flatMap(({ kinds }) => kinds),
    own: readable.filter(isOwn).flatMap(({ kinds }) => kinds),
    userId,
  };
}

/** @throws {InsufficientScopeError} 403: a kind is asked for by name whose scope the credential does not have. */
export function requireKinds(types: readonly string[], { scopes }: Principal): void {
  for (const { kinds, scope } of READERS) {
    if (!scopes.has(scope) && kinds.some((kind) => types.includes(kind))) throw new InsufficientScopeError(scope);
  }
}
