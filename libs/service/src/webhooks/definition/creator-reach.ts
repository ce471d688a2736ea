import { ApiError } from '@items/conventions';
import type { Visibility } from '../../feed/visibility.js';

/** What the creator of a webhook may read now; `silent`: nothing is sent; `gone`: the webhook goes too. */
export type CreatorRights = Visibility | 'silent' | 'gone';

/** 403: a webhook would be led elsewhere by who may read less than it is sent. SPEC §6.2 */
export class CreatorReachError extends ApiError {
  override readonly status = 403;
  override readonly code = 'scope_escalation';

  constructor() {
    super('The "url" is changed only by who may read all that is sent there: make a webhook of your own instead.');
  }
}

/**
 * Whether somebody may read all that a webhook is sent, and so may lead it elsewhere.
 * @param creator what the webhook's creator may read; what one may read who rests is taken for everything.
 * @param kinds all kinds of events.
 */
export function readsAllOf(reader: Visibility, creator: CreatorRights | undefined, kinds: readonly string[]): boolean {
  if (creator === undefined || creator === 'gone') return true;
  const { all, own, userId } = reader;
  if (creator === 'silent') return kinds.every((kind) => all.includes(kind));
  const isSame = creator.userId === null || creator.userId === userId;
  return (
    creator.all.every((kind) => all.includes(kind)) &&
    creator.own.every((kind) => all.includes(kind) || (isSame && own.includes(kind)))
  );
}
