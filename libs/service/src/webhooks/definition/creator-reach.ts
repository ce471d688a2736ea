import { ApiError } from '@items/conventions';
import type { Visibility } from '../../feed/visibility.js';

/** `silent`: nothing is sent; `deleted`: the creator is deleted, and the webhook with them. */
export type CreatorRights = Visibility | 'silent' | 'deleted';

/** 403: a caller with fewer rights than the webhook's creator would redirect its events. SPEC §6.2 */
export class CreatorReachError extends ApiError {
  override readonly status = 403;
  override readonly code = 'scope_escalation';

  constructor() {
    super('The "url" is changed only by who may read all that is sent there: make a webhook of your own instead.');
  }
}

/** Checks if a user may change the URL. @param creator a silent creator counts as having all rights. */
export function readsAllOf(reader: Visibility, creator: CreatorRights | undefined, kinds: readonly string[]): boolean {
  if (creator === undefined || creator === 'deleted') return true;
  const { all, own, userId } = reader;
  if (creator === 'silent') return kinds.every((kind) => all.includes(kind));
  const isSame = creator.userId === null || creator.userId === userId;
  return (
    creator.all.every((kind) => all.includes(kind)) &&
    creator.own.every((kind) => all.includes(kind) || (isSame && own.includes(kind)))
  );
}
