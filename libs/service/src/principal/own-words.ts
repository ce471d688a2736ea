import { ROLES, SCOPES } from '@items/dtos/contract';
import type { OwnWords } from '@items/fields';

import type { Permissions } from './permissions.js';

/** The words of a service in the place of those that the classes of bodies name. */
export function ownWordsOf({ scopes, roles }: Pick<Permissions, 'scopes' | 'roles'>): OwnWords {
  return new Map<readonly string[], readonly string[]>([
    [SCOPES, scopes],
    [ROLES, roles],
  ]);
}
