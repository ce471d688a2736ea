import { type ApiError, ConflictError, ForbiddenError, NotFoundError } from '@items/conventions';

import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { CollectionOperations } from './collection-operations.js';

/** The codes of a rule's errors are not known: {@link hasAnyCode}. */
const UNDECLARED: readonly ApiError[] = [
  new ForbiddenError('A rule of this collection does not permit it.'),
  new NotFoundError('Something that a rule of this collection needs does not exist.'),
  new ConflictError('conflict', 'A rule of this collection does not permit it in this state.'),
];

export function ruleErrors(
  { rules, ruleErrors: declared }: Pick<CollectionDefinition<never, never>, 'rules' | 'ruleErrors'>,
  operation: keyof CollectionOperations,
): readonly ApiError[] {
  if (operation === 'list' || operation === 'read') return [];
  return declared?.[operation] ?? (rules?.[operation] === undefined ? [] : UNDECLARED);
}

export function hasAnyCode(error: ApiError): boolean {
  return UNDECLARED.includes(error);
}
