import { defineCollection } from '../../../data/definition/define-collection.js';
import type { Session } from '@items/dtos/contract';
import { SessionDto } from './session.dto.js';

/** What the collection of sessions says about itself; the id is that of the session's authorization. SPEC §5, §4.1 */
export const sessionCollection = defineCollection<SessionDto, Session>({
  name: 'sessions',
  singular: 'session',
  dto: SessionDto,
  onlyFromPrimary: true,
  parent: 'user_id',
  audit: { subject: 'session', kinds: ['created', 'deleted'] },
  sortableTimes: ['created_at'],
});
