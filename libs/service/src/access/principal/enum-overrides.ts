import { ROLES, SCOPES } from '@items/dtos/contract';
import type { EnumOverrides } from '@items/fields';

import type { Permissions } from './permissions.js';

/** Returns the scopes and roles of a service, which replace those of the body classes. */
export function enumOverridesOf({ scopes, roles }: Pick<Permissions, 'scopes' | 'roles'>): EnumOverrides {
  return new Map<readonly string[], readonly string[]>([
    [SCOPES, scopes],
    [ROLES, roles],
  ]);
}
