import { httpRequest } from '../load/http-request.js';
import { created } from './created.js';
import { asked, itemPaths } from './reads.js';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** Responses without an item. Each must cost less than a get of the same service. @type {import('../rows.js').Row[]} */
export const refusals = [
  {
    name: 'refusals',
    title: 'short answers beside a get',
    aim: 1,
    contestants: async (systems) => {
      const { service, ids } = await systems.sqlite();
      const some = ids.slice(0, 200);
      const { key: spent } = await created(service, '/api-keys', {
        name: 'bench, spent',
        scopes: ['items:read'],
        rate_limit: { requests: 1, seconds: 86_400 },
      });
      await fetch(`${service.address}/items`, { headers: { 'x-api-key': String(spent) } });
      const conditional = some.map(async (id) => {
        const answer = await fetch(`${service.address}/items/${id}`, { headers: service.headers });
        const headers = { ...service.headers, 'if-none-match': answer.headers.get('etag') ?? '' };
        return httpRequest('GET', `/items/${id}`, headers);
      });
      const paths = itemPaths(some);
      return [
        { ...asked(service, paths), name: 'get' },
        { ...asked(service, paths), name: '304 not modified', expected: 304, requests: await Promise.all(conditional) },
        { ...asked(service, paths, {}), name: '401 no credential', expected: 401 },
        { ...asked(service, [`/items/${UNKNOWN}`]), name: '404 unknown id', expected: 404 },
        { ...asked(service, paths, { 'x-api-key': String(spent) }), name: '429 quota spent', expected: 429 },
      ];
    },
  },
];
