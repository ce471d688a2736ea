import { defineCollection } from '@items/collections';
import type { User } from '@items/contracts';
import { CreateUserDto } from '@items/dtos';

/** What the collection of users says about itself; password hashes stand in `user_passwords`. SPEC §2, §4.1 */
export const userCollection = defineCollection<CreateUserDto, User>({
  name: 'users',
  singular: 'user',
  dto: CreateUserDto,
  sortableTimes: ['created_at'],
  counted: [['role', 'disabled']],
  defaults: { role: 'viewer', disabled: false },
  events: { subject: 'user', owner: 'id', fields: ['id', 'role', 'disabled', 'created_at', 'updated_at'] },
});
