import { itemInput } from '@items/testing';

import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf, fieldsOf, itemOf } from '../harness/reading.js';

describe('§2 Creating', () => {
  it('stores the sent fields', async () => {
    const input = itemInput();
    expect(await createItem()).toMatchObject(input);
  });

  it('a create request without name is rejected with 422 and an error message that names the field', async () => {
    const error = errorOf(await admin.post('/items', { color: 'red' }), 422);
    expect(error.error).toContain('name');
    expect(fieldsOf(error)).toEqual(['name']);
  });

  it('names every wrong field, sorted', async () => {
    const error = errorOf(
      await admin.post('/items', { price: -1, name: '', color: '', description: 1, extra: 1 }),
      422,
    );
    expect(fieldsOf(error)).toEqual(['color', 'description', 'extra', 'name', 'price']);
  });

  it.each([
    ['an array', []],
    ['an array with an item', [itemInput()]],
    ['a string', 'Lamp'],
    ['a number', 1],
    ['a boolean', true],
    ['null', null],
  ])('a body that is valid JSON but no object is 422: %s', async (_title, body) => {
    errorOf(await admin.post('/items', body), 422);
  });
});

describe('§2 PUT replaces the whole resource', () => {
  it('stores the sent fields and keeps id and created_at', async () => {
    const before = await createItem();
    const input = itemInput({ name: 'Desk', description: 'Oak', color: 'brown', price: 250 });
    const after = itemOf(await admin.put(`/items/${before.id}`, input));
    expect(after).toMatchObject({ ...input, id: before.id, created_at: before.created_at });
    expect(after.updated_at >= before.updated_at).toBe(true);
    expect(await readItem(before.id)).toEqual(after);
  });

  it('an omitted optional field becomes null', async () => {
    const { id } = await createItem();
    const after = itemOf(await admin.put(`/items/${id}`, { name: 'Desk' }));
    expect(after).toMatchObject({ name: 'Desk', description: null, color: null, price: null });
  });

  it('name is required', async () => {
    const before = await createItem();
    const error = errorOf(await admin.put(`/items/${before.id}`, { color: 'red' }), 422);
    expect(fieldsOf(error)).toEqual(['name']);
    expect(await readItem(before.id)).toEqual(before);
  });

  it('no upsert: unknown id is 404 and stays unknown', async () => {
    const target = '/items/01890000-0000-7000-8000-000000000001';
    errorOf(await admin.put(target, itemInput()), 404);
    errorOf(await admin.get(target), 404);
  });

  it('there is no PATCH', async () => {
    const { id } = await createItem();
    errorOf(await admin.send('PATCH', `/items/${id}`, { json: { name: 'Desk' } }), 405);
  });
});

describe('§2 A read-only field that a client sends back is ignored', () => {
  const readOnly = {
    id: '01890000-0000-7000-8000-000000000002',
    created_at: '2000-01-01T00:00:00.000Z',
    updated_at: 0,
  };

  it('on creation', async () => {
    const item = itemOf(await admin.post('/items', { ...itemInput(), ...readOnly }), 201);
    expect(item.id).not.toBe(readOnly.id);
    expect(item.created_at > '2020').toBe(true);
    expect(item.updated_at > '2020').toBe(true);
  });

  it.each([null, 1, 'x', [], {}, true])(
    'PUT ignores id, created_at and updated_at with any value: %j',
    async (value) => {
      const before = await createItem();
      const body = { ...before, id: value, created_at: value, updated_at: value };
      const after = itemOf(await admin.put(`/items/${before.id}`, body));
      expect(after).toEqual({ ...before, updated_at: after.updated_at });
    },
  );

  it('the response of GET can be sent back by PUT', async () => {
    const before = await createItem();
    const after = itemOf(await admin.put(`/items/${before.id}`, before));
    expect(after).toEqual({ ...before, updated_at: after.updated_at });
  });
});
