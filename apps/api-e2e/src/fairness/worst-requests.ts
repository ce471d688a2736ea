/** A name whose characters take six bytes each in JSON. */
export const LONG_NAME = `a${'\u0001'.repeat(198)}a`;
const MIB = 1_048_576;

export interface CostlyRequest {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The most expensive requests that the service accepts, or refuses only after it has read them. */
export function worstRequests(rows: number, itemId: string): readonly CostlyRequest[] {
  const lines = Array.from({ length: 100 }, () => ({ item_id: itemId, quantity: 10_000 }));
  const fields = Array.from({ length: 60_000 }, (_, n) => `"f${n}":${n}`).join(',');
  const page = (share: number): number => Math.floor((rows / 100) * share);
  return [
    get('unindexed sort', '/items?limit=1&sort=color,-name,price'),
    get('unindexed sort, a page', `/items?per_page=100&page=2&sort=price,-name`),
    get('32 colours', `/items?limit=1&color=${colors(32)}`),
    get('32 colours by price', `/items?limit=100&sort=-price&color=${colors(32)}`),
    get('32 colours, deep', `/items?per_page=100&page=${page(0.1)}&sort=name&color=${colors(32)}`),
    get('deep page', `/items?per_page=100&page=${page(0.5)}`),
    get('deep page by name', `/items?per_page=100&page=${page(0.5)}&sort=-name`),
    get('deep page of a colour', `/items?per_page=100&page=${page(0.06)}&color=red&sort=price`),
    get('orders', '/users/me/orders?per_page=20'),
    get('orders in cursor style', '/users/me/orders?limit=20&sort=-total'),
    get('If-None-Match', `/items/${itemId}`, { 'if-none-match': '"a",'.repeat(3_500) + '"a"' }),
    get('events', '/events?limit=100'),
    get('document', '/openapi.json'),
    post('order of 100 lines', '/users/me/orders', JSON.stringify({ lines })),
    post('order, repeated', '/users/me/orders', JSON.stringify({ lines }), { 'idempotency-key': 'the-same' }),
    post('1 MiB of lines', '/users/me/orders', many(JSON.stringify({ item_id: itemId, quantity: 1 }))),
    post('1 MiB of empty lines', '/users/me/orders', many('{}')),
    post('1 MiB of numbers', '/items', many('1')),
    post('1 MiB of fields', '/items', `{"name":"x",${fields.slice(0, MIB - 100).replace(/,[^,]*$/, '')}}`),
    post('1 MiB of text', '/items', JSON.stringify({ name: 'x', description: 'é'.repeat(MIB / 2 - 100) })),
    post('1 MiB of escapes', '/items', `{"name":"x","description":"${'\\u0041'.repeat(174_000)}"}`),
    post('1 MiB of brackets', '/items', `{"name":${'['.repeat(MIB / 2 - 100)}${']'.repeat(MIB / 2 - 100)}}`),
  ];
}

function get(name: string, path: string, headers = {}): CostlyRequest {
  return { name, method: 'GET', path, headers };
}

function post(name: string, path: string, body: string, headers = {}): CostlyRequest {
  return { name, method: 'POST', path, headers, body };
}

function colors(count: number): string {
  return ['red', 'green', 'blue', ...Array.from({ length: count - 3 }, (_, n) => `color-${n}`)].join(',');
}

/** As many lines as fit into 1 MiB. */
function many(line: string): string {
  const count = Math.floor((MIB - 40) / (line.length + 1));
  return `{"lines":[${Array.from({ length: count }, () => line).join(',')}]}`;
}
