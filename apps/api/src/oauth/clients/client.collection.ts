import type { Client, GrantType, Scope } from '@items/contracts';

import type { CollectionDefinition } from '../../collections/collection.js';
import type { CollectionService } from '../../collections/collection-service.js';
import { ClientEntity } from './client.entity.js';

/** What a client is registered with. */
export interface ClientRegistration {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly grant_types: readonly GrantType[];
}

/** The service of the collection of clients. */
export type ClientsCollection = CollectionService<ClientEntity, Client, ClientRegistration>;

/** What the collection of clients says about itself. SPEC §5 */
export const clientCollection: CollectionDefinition<ClientEntity, Client, ClientRegistration> = {
  name: 'clients',
  singular: 'client',
  entity: ClientEntity,
  sortable: ['name', 'created_at', 'updated_at'],
  filters: {},
  counted: [],
  present: (row) => ({
    id: row.id,
    client_id: row.id,
    name: row.name,
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    scopes: JSON.parse(row.scopes) as Scope[],
    grant_types: JSON.parse(row.grant_types) as GrantType[],
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  }),
  accept: acceptRegistration,
};

/** As columns, whatever of a registration is given. */
export function acceptRegistration(registration: ClientRegistration): ClientColumns;
export function acceptRegistration(registration: Partial<ClientRegistration>): Partial<ClientColumns>;
export function acceptRegistration({ name, ...lists }: Partial<ClientRegistration>): Partial<ClientColumns> {
  const given = Object.entries(lists).map(([column, list]) => [column, JSON.stringify(list)] as const);
  return { ...(name !== undefined && { name }), ...Object.fromEntries(given) };
}

type ClientColumns = Pick<ClientEntity, 'name' | 'redirect_uris' | 'scopes' | 'grant_types'>;
