import { admin } from '../harness/clients.js';
import { createItem } from '../harness/items.js';
import { errorOf, fieldsOf } from '../harness/reading.js';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

function many(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${String(i).padStart(3, '0')}`, i]));
}

describe('§2 Any other unknown field is 422 and is named', () => {
  it.each(['colour', 'Name', 'NAME', ' name', 'prices', 'constructor', 'toString', 'hasOwnProperty', 'prototype', ''])(
    'on creation and replacement: "%s"',
    async (field) => {
      const body = { name: 'Lamp', [field]: 'x' };
      const error = errorOf(await admin.post('/items', body), 422);
      expect(fieldsOf(error)).toEqual([field]);
      expect(error.error).toContain(field);
      const { id } = await createItem();
      expect(errorOf(await admin.put(`/items/${id}`, body), 422)).toEqual(error);
    },
  );

  it.each([
    '{"name":"Lamp","__proto__":{"price":1}}',
    '{"name":"Lamp","__proto__":null}',
    '{"name":"Lamp","__proto__":1}',
  ])('__proto__ is an unknown field as well and changes no prototype: %s', async (body) => {
    const error = errorOf(await admin.send('POST', '/items', { body, headers: [JSON_TYPE] }), 422);
    expect(fieldsOf(error)).toEqual(['__proto__']);
  });

  it('an unknown field is 422 for any value', async () => {
    for (const value of [null, [], {}, 0, false, '']) {
      expect(fieldsOf(errorOf(await admin.post('/items', { name: 'Lamp', x: value }), 422))).toEqual(['x']);
    }
  });

  it('the response has at most 20 details, then a count', async () => {
    expect(errorOf(await admin.post('/items', { name: 'Lamp', ...many(20) }), 422).details).toHaveLength(20);
    const error = errorOf(await admin.post('/items', { name: 'Lamp', ...many(25) }), 422);
    expect(error.details).toHaveLength(20);
    expect(fieldsOf(error)[0]).toBe('field_000');
    expect(error.error).toMatch(/\d+ more/);
  });

  it('names are cut at 64 characters', async () => {
    const error = errorOf(await admin.post('/items', { name: 'Lamp', [`${'n'.repeat(64)}SECRET`]: 1 }), 422);
    expect(JSON.stringify(error)).toContain('n'.repeat(63));
    expect(JSON.stringify(error)).not.toContain('SECRET');
  });

  it('names are cut between code points', async () => {
    const answer = await admin.post('/items', { name: 'Lamp', ['\u{1F600}'.repeat(100)]: 1 });
    errorOf(answer, 422);
    expect(answer.text).not.toMatch(/\\ud83d(?!\\ude00)|\ufffd/i);
  });

  it('forty thousand unknown fields are refused with the first twenty', async () => {
    const error = errorOf(await admin.post('/items', { name: 'Lamp', ...many(40_000) }), 422);
    expect(error.details).toHaveLength(20);
  });
});
