import { Permissions } from '../../access/principal/permissions.js';
import type { Composition } from './composition.js';

/** What may be done in a service: its collections have scopes by their names. */
export function permissionsOf({ modules, roles }: Pick<Composition, 'modules' | 'roles'>): Permissions {
  return new Permissions(
    modules.map(({ collection }) => collection.name.replaceAll('_', '-')),
    roles,
  );
}
