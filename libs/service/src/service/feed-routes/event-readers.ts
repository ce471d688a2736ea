import type { Scope } from '@items/dtos/contract';
import { InsufficientScopeError } from '@items/conventions';
import { kindsOf } from '../../feed/event-kinds.js';
import type { Visibility } from '../../feed/visibility.js';
import type { DescribedEvents } from '../../document/description/event-webhooks.js';

import type { ComposedCollection, Composition } from '../composition/composition.js';
import type { Permissions } from '../../access/principal/permissions.js';
import type { Principal } from '../../access/principal/principal.js';
import { userCollection } from '../../access/users/user.collection.js';
import { webhookCollection } from '../../webhooks/routes/webhook.collection.js';

interface Readers extends DescribedEvents {
  readonly scope: Scope;
  /** Whether only administrators see those that are not their own. */
  readonly ownOnly: boolean;
}

/** Who may read which events: who may read the resources. SPEC §6.1 */
export class EventReaders {
  /** Every collection that tells of its changes, and the kinds of its events. */
  readonly emitters: readonly DescribedEvents[];
  /** One of them lets a credential read some events. */
  readonly scopes: [Scope, ...Scope[]];
  /** All kinds of events. */
  readonly kinds: readonly string[];
  private readonly readers: readonly Readers[];

  constructor({ modules }: Pick<Composition, 'modules'>, permissions: Pick<Permissions, 'isScope'>) {
    this.readers = [
      ...modules.flatMap(({ collection }) => readersOf(collection, permissions)),
      { collection: userCollection, kinds: kindsOf(userCollection), scope: 'users:read', ownOnly: true },
      { collection: webhookCollection, kinds: kindsOf(webhookCollection), scope: 'webhooks:manage', ownOnly: false },
    ];
    this.emitters = this.readers;
    this.scopes = this.readers.map(({ scope }) => scope) as [Scope, ...Scope[]];
    this.kinds = this.readers.flatMap(({ kinds }) => kinds);
  }

  /** What a credential may see. */
  visibilityOf({ scopes, isAdmin, userId }: Pick<Principal, 'scopes' | 'isAdmin' | 'userId'>): Visibility {
    const readable = this.readers.filter(({ scope }) => scopes.has(scope));
    const isOwn = ({ ownOnly }: Readers): boolean => ownOnly && !isAdmin;
    return {
      all: readable.filter((readers) => !isOwn(readers)).flatMap(({ kinds }) => kinds),
      own: readable.filter(isOwn).flatMap(({ kinds }) => kinds),
      userId,
    };
  }

  /** @throws {InsufficientScopeError} 403: a kind is asked for by name whose scope the credential does not have. */
  requireKinds(types: readonly string[], { scopes }: Principal): void {
    for (const { kinds, scope } of this.readers) {
      if (!scopes.has(scope) && kinds.some((kind) => types.includes(kind))) throw new InsufficientScopeError(scope);
    }
  }
}

/**
 * Who may read the events of a collection of the list: who may list it, by the scope of its name, and where events belong
 * to users, each their own.
 * @returns none where it tells of no changes.
 * @throws {Error} there is no scope of its name.
 */
export function readersOf(
  collection: ComposedCollection,
  { isScope }: Pick<Permissions, 'isScope'>,
): readonly Readers[] {
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
