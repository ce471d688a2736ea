import { defineCollection } from '../../../data/definition/define-collection.js';
import type { Grant } from '@items/dtos/contract';
import { GrantDto } from './grant.dto.js';

/** One approval for each user and client. SPEC §5 */
export const grantCollection = defineCollection<GrantDto, Grant>({
  name: 'grants',
  singular: 'grant',
  dto: GrantDto,
  onlyFromPrimary: true,
  parent: 'user_id',
  audit: { subject: 'grant', kinds: ['created', 'deleted'] },
  sortableTimes: ['created_at'],
});
