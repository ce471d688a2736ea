import { defineCollection } from '../../../data/definition/define-collection.js';
import type { Session } from '@items/dtos/contract';
import { SessionDto } from './session.dto.js';

/** A session has the id of its authorization. SPEC §5, §4.1 */
export const sessionCollection = defineCollection<SessionDto, Session>({
  name: 'sessions',
  singular: 'session',
  dto: SessionDto,
  onlyFromPrimary: true,
  parent: 'user_id',
  audit: { subject: 'session', kinds: ['created', 'deleted'] },
  sortableTimes: ['created_at'],
});
