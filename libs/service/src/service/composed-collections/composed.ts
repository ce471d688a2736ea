import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { Composition } from '../composition/composition.js';
import { featuresOf } from './collection-features.js';
import type { Migration } from './migration.js';
import { servedCollections } from './routes-of-collections.js';

interface Parts {
  readonly collections?: readonly object[];
  readonly migrations?: readonly Migration[];
  readonly modules?: NonNullable<Composition['further']>;
  readonly roles?: Composition['roles'];
  readonly document?: Partial<Pick<Composition, 'events' | 'quickStart'>>;
  readonly access?: Composition['access'];
  readonly auth?: Composition['auth'];
  readonly info?: { readonly title?: string; readonly version?: string };
}

export function composed({
  modules = [],
  collections = [],
  migrations = [],
  roles,
  access,
  auth,
  document: { events, quickStart } = {},
  info,
}: Parts): Composition {
  const features = [...featuresOf(modules), ...collections.map((collection) => ({ collection }))];
  const served = servedCollections(features, migrations);
  const definitions = served.modules.map(
    ({ collection }) => collection as unknown as CollectionDefinition<never, never>,
  );
  const [first] = definitions;
  const listed = definitions.find(({ methods }) => methods?.includes('list') !== false);
  const type = `${first?.singular.replaceAll(' ', '_') ?? 'user'}.updated`;
  const id = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
  return {
    name: serviceNameOf(info?.title ?? first?.name),
    ...served,
    further: modules,
    ...(roles !== undefined && { roles }),
    ...(access !== undefined && { access }),
    ...(auth !== undefined && { auth }),
    ...(info !== undefined && { info }),
    events: events ?? {
      example: {
        id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40',
        type,
        timestamp: '2026-11-20T10:00:00.000Z',
        data: { object: { id }, previous: { updated_at: '2026-11-20T09:30:00.000Z' } },
      },
      changes: {},
    },
    quickStart:
      quickStart ??
      ((baseUrl) => [
        { says: 'Put a key where the next commands find it:', command: "export ADMIN_API_KEY='itk_…'" },
        {
          says: `List ${listed?.name ?? 'users'}:`,
          command: `curl '${baseUrl}/${listed?.parent === undefined ? (listed?.name ?? 'users') : 'users'}' -H "X-API-Key: $ADMIN_API_KEY"`,
        },
      ]),
  };
}

const FALLBACK = 'service';
/** Cookies and `application_name` of PostgreSQL contain the name. */
const MAX_LENGTH = 40;

/** Lower case, digits and `_`. @param text title of the document, or name of the first collection. */
export function serviceNameOf(text = FALLBACK): string {
  const words = text.toLowerCase().match(/[a-z\d]+/g) ?? [FALLBACK];
  const name = words.join('_').slice(0, MAX_LENGTH);
  return /^[a-z]/.test(name) ? name : `${FALLBACK}_${name}`;
}
