import { ApiError } from '@items/conventions';
import type { Visibility } from '../../feed/visibility.js';

/** `silent`: nothing may be sent now; `deleted`: the creator no longer exists, so the webhook is deleted. */
export type CreatorRights = Visibility | 'silent' | 'deleted';

/** Status 403. A caller with fewer rights than the webhook's creator must not redirect events to itself. SPEC §6.2 */
export class CreatorReachError extends ApiError {
  override readonly status = 403;
  override readonly code = 'scope_escalation';

  constructor() {
    super(
      'Only a caller who may read everything that is sent to the "url" can change it: create another webhook instead.',
    );
  }
}

/**
 * Returns whether the reader may read all events that the creator may read. Only such a reader may change the URL.
 * @param creator `silent` counts as having all rights, because the creator may get rights back.
 */
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
