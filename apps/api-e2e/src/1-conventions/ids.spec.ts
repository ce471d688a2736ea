import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf } from '../harness/reading.js';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** Invalid or unknown ids; percent-encoded where necessary. */
const ODD_IDS: readonly string[] = [
  UNKNOWN,
  'x',
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  'null',
  'undefined',
  'NaN',
  'true',
  '%00',
  'a%00b',
  '%20',
  '%09',
  '%0D%0A',
  '%F0%9F%98%80',
  '%C3%A9',
  "'",
  '%27%20OR%201=1--',
  '%22',
  ';',
  '*',
  '%25',
  '%2F',
  '..%2F..%2Fetc%2Fpasswd',
  '%5C',
  'constructor',
  '__proto__',
  'toString',
  '$where',
  '%7B%7D',
  '%5B%5D',
  '9007199254740993',
  '99999999999999999999999999',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'zzzzzzzz-zzzz-7zzz-8zzz-zzzzzzzzzzzz',
  `${UNKNOWN}x`,
  UNKNOWN.slice(1),
  UNKNOWN.replaceAll('-', ''),
  `%7B${UNKNOWN}%7D`,
  `urn:uuid:${UNKNOWN}`,
  `%20${UNKNOWN}`,
  `${UNKNOWN}%0A`,
  'a'.repeat(1000),
];

describe('§1 A path id that cannot be an id is simply unknown: 404, never 400 or 500', () => {
  it.each(ODD_IDS)('GET, HEAD, PUT and DELETE /items/%s', async (id) => {
    const first = await admin.get(`/items/${id}`);
    errorOf(first, 404);
    expect((await admin.head(`/items/${id}`)).status).toBe(404);
    errorOf(await admin.put(`/items/${id}`, { name: 'Lamp' }), 404);
    errorOf(await admin.delete(`/items/${id}`), 404);
    expect((await admin.get(`/items/${id}`)).text).toBe(first.text);
  });

  it.each(ODD_IDS.slice(0, 12))('GET, PUT and DELETE /api-keys/%s', async (id) => {
    errorOf(await admin.get(`/api-keys/${id}`), 404);
    errorOf(await admin.put(`/api-keys/${id}`, { name: 'Key' }), 404);
    errorOf(await admin.delete(`/api-keys/${id}`), 404);
  });

  it('a percent-encoded id is the same id', async () => {
    const item = await createItem();
    const encoded = item.id.replaceAll('-', '%2D');
    expect((await admin.get(`/items/${encoded}`)).json()).toEqual(await readItem(item.id));
  });
});
