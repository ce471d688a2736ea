import { defineCollection } from '../../../data/definition/define-collection.js';
import type { Client } from '@items/dtos/contract';
import { CreateClientDto } from '@items/dtos';

export interface HiddenClient {
  /** Issuer of the token that created the client. Null for any other credential. */
  readonly issuer: string | null;
}

/** Secrets are in `client_secrets`. SPEC §5 */
export const clientCollection = defineCollection<CreateClientDto, Client, HiddenClient>({
  name: 'clients',
  singular: 'client',
  dto: CreateClientDto,
  onlyFromPrimary: true,
  hidden: ['issuer'],
  audit: { subject: 'client', kinds: ['created', 'updated', 'rotated', 'deleted'] },
  derived: { client_id: ({ id }) => id },
});
