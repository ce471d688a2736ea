import { ROLES, SCOPES } from '@items/dtos/contract';
import type { EnumOverrides } from '@items/fields';

import type { Permissions } from './permissions.js';

/** Scopes and roles of the service replace those of the body classes. */
export function enumOverridesOf({ scopes, roles }: Pick<Permissions, 'scopes' | 'roles'>): EnumOverrides {
  return new Map<readonly string[], readonly string[]>([
    [SCOPES, scopes],
    [ROLES, roles],
  ]);
}
