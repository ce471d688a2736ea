import { defineCollection } from '../../../data/definition/define-collection.js';
import type { Client } from '@items/dtos/contract';
import { CreateClientDto } from '@items/dtos';

/** What the collection of clients says about itself; their secrets stand in `client_secrets`. SPEC §5 */
export const clientCollection = defineCollection<CreateClientDto, Client>({
  name: 'clients',
  singular: 'client',
  dto: CreateClientDto,
  onlyFromPrimary: true,
  audit: { subject: 'client', kinds: ['created', 'updated', 'rotated', 'deleted'] },
  derived: { client_id: ({ id }) => id },
});
