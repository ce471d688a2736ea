import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { Composition, ServiceOptions } from '../composition/composition.js';
import { featuresOf } from './collection-features.js';
import { servedCollections } from './routes-of-collections.js';

export function composed({
  modules = [],
  collections = [],
  migrations = [],
  document: { events, quickStart } = {},
  ...rest
}: Omit<ServiceOptions, 'settings' | 'configure' | 'signals'>): Composition {
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
    ...rest,
    name: serviceNameOf(rest.info?.title ?? first?.name),
    ...served,
    further: modules,
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
/** Limited, because cookies and `application_name` of PostgreSQL contain the name. */
const MAX_LENGTH = 40;

/**
 * Returns a name of lower-case letters, digits and `_`.
 * @param text title of the document, or name of the first collection.
 */
export function serviceNameOf(text = FALLBACK): string {
  const words = text.toLowerCase().match(/[a-z\d]+/g) ?? [FALLBACK];
  const name = words.join('_').slice(0, MAX_LENGTH);
  return /^[a-z]/.test(name) ? name : `${FALLBACK}_${name}`;
}
