import { readersOf } from './event-readers.js';

import {
  composition,
  EVENT_KINDS,
  EVENT_SCOPES,
  itemCollection,
  permissions,
  readers,
} from '../testing/fixture.testing.js';

const own = { subject: 'item', owner: 'user_id' };

describe('SPEC §6.1: readers of the events of a collection', () => {
  it('are the users who may list its members', () => {
    const kinds = ['item.created', 'item.updated', 'item.deleted'];
    expect(readersOf(itemCollection, permissions)).toMatchObject([{ kinds, scope: 'items:read', ownOnly: false }]);
  });

  it('are the owners, each of their own, if members belong to users', () => {
    expect(readersOf({ ...itemCollection, events: own }, permissions)).toMatchObject([
      { scope: 'items:read', ownOnly: true },
    ]);
  });

  it('do not exist if the collection has no events', () => {
    const { events: _none, ...silent } = itemCollection;
    expect(readersOf(silent, permissions)).toEqual([]);
  });

  it('a collection is refused if no scope has its name', () => {
    expect(() => readersOf({ ...itemCollection, name: 'lost_items' }, permissions)).toThrow(
      'add the scope "lost-items:read"',
    );
  });

  it('every collection of the service names its readers, and each scope opens the kinds that it names', () => {
    for (const { collection } of composition.modules) {
      for (const { kinds, scope, ownOnly } of readersOf(collection, permissions)) {
        expect(EVENT_SCOPES).toContain(scope);
        expect(EVENT_KINDS).toEqual(expect.arrayContaining([...kinds]));
        const { all, own: ownKinds } = readers.visibilityOf({ scopes: new Set([scope]), isAdmin: false, userId: null });
        expect([all, ownKinds]).toEqual(ownOnly ? [[], kinds] : [kinds, []]);
      }
    }
  });
});
