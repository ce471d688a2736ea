import { ItemInputDto } from '@items/dtos';

import { collection } from '../collections/collection.js';
import { composed } from '../collections/composed.js';
import { composition, itemCollection } from '../testing/fixture.testing.js';
import { permissionsOf } from './composition.js';

describe('permissionsOf()', () => {
  it('has two scopes for each collection', () => {
    expect(permissionsOf(composition).scopes.slice(0, 4)).toEqual([
      'items:read',
      'items:write',
      'notes:read',
      'notes:write',
    ]);
  });

  it('writes the name of a collection with hyphens', () => {
    const parts = collection({ name: 'spare_parts', singular: 'spare part', input: ItemInputDto });
    expect(permissionsOf(composed({ collections: [parts] })).scopes).toContain('spare-parts:write');
  });

  it('has the roles of the service and those of every service', () => {
    const permissions = permissionsOf(composed({ collections: [itemCollection], roles: { clerk: ['items:read'] } }));
    expect(permissions.roles).toEqual(['viewer', 'member', 'clerk', 'admin']);
    expect([...permissions.scopesOfRole('clerk')]).toEqual(['items:read']);
  });
});
