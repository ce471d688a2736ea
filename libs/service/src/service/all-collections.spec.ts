import type { CollectionDefinition } from '../data/definition/collection.js';

import { allCollections } from './testing/fixture.testing.js';

it('a standby may serve reads of no collection that grants or refuses access', () => {
  const definitions = allCollections as readonly CollectionDefinition<never, never>[];
  const replicated = definitions.filter(({ onlyFromPrimary }) => onlyFromPrimary !== true).map(({ name }) => name);
  expect(replicated.sort()).toEqual(['items', 'notes']);
});
