import { Permissions } from '../../access/principal/permissions.js';
import type { Composition } from './composition.js';

/** Each collection has scopes with its name. */
export function permissionsOf({ modules, roles }: Pick<Composition, 'modules' | 'roles'>): Permissions {
  return new Permissions(
    modules.map(({ collection }) => collection.name.replaceAll('_', '-')),
    roles,
  );
}
