export const queryNames = ['page', 'per_page', 'limit', 'cursor', 'sort'] as const;
export type QueryName = (typeof queryNames)[number];

/** Names of a service. Default: those of the seed specification, such as `/items` and `name`. */
export interface NamingOptions {
  /** Path of the collection below the service's address. */
  readonly collection?: string;
  /**
   * The list in the body, as a path: `data.rows`; null: the list is a bare array. Default: the collection's last
   * segment.
   */
  readonly member?: string | null;
  /** The body of a create request; the value of the required field is replaced by a unique one. */
  readonly create?: Readonly<Record<string, unknown>>;
  readonly required?: string;
  /** A field by which lists can be sorted. Default, for `/items`: `price`. */
  readonly sort?: string;
  /** A filter field and parameter, with a value. Default, for `/items`: `color`. */
  readonly filter?: { readonly name: string; readonly value: string };
  readonly query?: Readonly<Partial<Record<QueryName, string>>>;
  /** Paths of the next cursor and the total in the body. */
  readonly nextCursor?: string;
  readonly total?: string;
}

/** Names with all defaults filled in. */
export interface Naming extends Required<Omit<NamingOptions, 'sort' | 'filter' | 'query'>> {
  readonly sort: string | undefined;
  readonly filter: NamingOptions['filter'];
  readonly query: Readonly<Record<QueryName, string>>;
  /** Whether the body may have no top-level `page` and `per_page`. */
  readonly hasOwnEnvelope: boolean;
  /** Whether to try the item fields of the seed specification, `color` and `price`. */
  readonly isItems: boolean;
}

export function namingOf(options: NamingOptions): Naming {
  const { create = {}, query = {}, filter, sort, nextCursor = 'next_cursor', total = 'total' } = options;
  const collection = `/${(options.collection ?? '/items').split('/').filter(Boolean).join('/')}`;
  const last = collection.slice(collection.lastIndexOf('/') + 1);
  const member = options.member === undefined ? last : options.member;
  return {
    collection,
    member: member === '' ? null : member,
    create,
    required: options.required ?? requiredOf(create),
    sort,
    filter,
    query: { page: 'page', per_page: 'per_page', limit: 'limit', cursor: 'cursor', sort: 'sort', ...query },
    nextCursor,
    total,
    hasOwnEnvelope:
      query.page !== undefined || query.per_page !== undefined || total.includes('.') || member?.includes('.') === true,
    isItems: collection === '/items',
  };
}

function requiredOf(create: Readonly<Record<string, unknown>>): string {
  if ('name' in create) return 'name';
  return Object.keys(create).find((field) => typeof create[field] === 'string') ?? 'name';
}
