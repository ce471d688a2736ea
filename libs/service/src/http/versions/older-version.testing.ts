import { API_VERSION } from '@items/dtos/contract';
import { Versions } from './versions.js';

import { renamedField } from './renamed-field.testing.js';

/** An older version that exists only in tests: there, `color` of an item was `colour`. */
export const OLDER = '2026-05-20';
export const ENDED = '2026-03-01';

export const olderVersions = new Versions({
  table: [
    { version: ENDED, end: { announced: '2027-01-01', on: '2028-06-01' } },
    { version: OLDER, end: { announced: '2028-12-01', on: '2030-01-01' } },
    { version: API_VERSION },
  ],
  changes: {
    [OLDER]: [{ sentence: 'Nothing that a program notices.' }],
    [API_VERSION]: [
      renamedField({
        sentence: '`colour` of an item is `color`.',
        path: '/items',
        listMember: 'items',
        subject: 'item',
        schemas: ['Item', 'ItemChange', 'ItemInput'],
        from: 'colour',
        to: 'color',
      }),
    ],
  },
  now: () => Date.parse('2029-01-01T00:00:00Z'),
});
