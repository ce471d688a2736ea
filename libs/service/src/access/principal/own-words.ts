import { ROLES, SCOPES } from '@items/dtos/contract';
import type { OwnWords } from '@items/fields';

import type { Permissions } from './permissions.js';

/** The own words of a service, instead of those of the body classes. */
export function ownWordsOf({ scopes, roles }: Pick<Permissions, 'scopes' | 'roles'>): OwnWords {
  return new Map<readonly string[], readonly string[]>([
    [SCOPES, scopes],
    [ROLES, roles],
  ]);
}
