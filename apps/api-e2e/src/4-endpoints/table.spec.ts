import { itemInput } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf, expectStatus, itemOf, offsetPageOf } from '../harness/reading.js';

const UNKNOWN = '/items/01890000-0000-7000-8000-000000000003';

describe('§4 Endpoints', () => {
  it('GET /items returns 200 with a JSON object holding an items array plus paging fields', async () => {
    const page = offsetPageOf(await admin.get('/items'));
    expect(Object.keys(page).sort()).toEqual(['items', 'page', 'per_page', 'total']);
    expect(Array.isArray(page.items)).toBe(true);
  });

  it('Creating returns 201 Created with the new item including its assigned id', async () => {
    const item = itemOf(await admin.post('/items', itemInput()), 201);
    expect(typeof item.id).toBe('string');
    expect(await readItem(item.id)).toEqual(item);
  });

  it('Deleting returns 204 with an empty body', async () => {
    const { id } = await createItem();
    const answer = await admin.delete(`/items/${id}`);
    expectStatus(answer, 204);
    expect(answer.body).toHaveLength(0);
    expect(answer.header('content-type')).toBeUndefined();
  });

  it('exactly one of racing deletions of one item succeeds', async () => {
    const { id } = await createItem();
    const answers = await Promise.all(Array.from({ length: 16 }, () => admin.delete(`/items/${id}`)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(15).fill(404)]);
  });

  it('An unknown id returns 404', async () => {
    errorOf(await admin.get(UNKNOWN), 404);
    errorOf(await admin.put(UNKNOWN, itemInput()), 404);
    errorOf(await admin.delete(UNKNOWN), 404);
  });

  it('POST returns Location', async () => {
    const answer = await admin.post('/items', itemInput());
    const { id } = itemOf(answer, 201);
    const location = new URL(answer.header('location') ?? '', 'http://service.example/items');
    expect(location.pathname).toBe(`/items/${id}`);
    expect(itemOf(await admin.get(location.pathname)).id).toBe(id);
  });

  it.each(['GET', 'DELETE', 'HEAD'])('%s /items/{id} takes no query parameters: 400 that names it', async (method) => {
    const { id } = await createItem();
    const answer = await admin.send(method, `/items/${id}?verbose=1`);
    expectStatus(answer, 400);
    if (method !== 'HEAD') expect(answer.text).toContain('verbose');
  });

  it('POST and PUT take no query parameters: 400 that names the parameter', async () => {
    expect(errorOf(await admin.post('/items?dry_run=1', itemInput()), 400).error).toContain('dry_run');
    const { id } = await createItem();
    expect(errorOf(await admin.put(`/items/${id}?dry_run=1`, itemInput()), 400).error).toContain('dry_run');
  });
});
