import type { Item } from '@items/dtos/contract';

import { admin } from '../harness/clients.js';
import { createItem, readItem } from '../harness/items.js';
import { errorOf, fieldsOf, itemOf } from '../harness/reading.js';
import { COLOR_CASES, DESCRIPTION_CASES, NAME_CASES, PRICE_CASES, type FieldCase } from './field-cases.js';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;

const FIELDS: readonly [field: keyof Item, rule: string, cases: readonly FieldCase[]][] = [
  ['name', 'string, 1–200 characters after trimming', NAME_CASES],
  ['description', 'string ≤ 2000 or null', DESCRIPTION_CASES],
  ['color', 'string 1–30 without a comma, or null', COLOR_CASES],
  ['price', 'number ≥ 0, at most 2 decimals, ≤ 999999999.99, or null', PRICE_CASES],
];

function bodyWith(field: string, json: string): string {
  return field === 'name' ? `{"name":${json}}` : `{"name":"Lamp","${field}":${json}}`;
}

function send(method: string, target: string, body: string): ReturnType<typeof admin.send> {
  return admin.send(method, target, { body, headers: [JSON_TYPE] });
}

describe.each(FIELDS)('§2 Fields: %s (%s)', (field, _rule, cases) => {
  const accepted = cases.filter((one) => one.stored !== undefined);
  const refused = cases.filter((one) => one.stored === undefined);
  let target: string;

  beforeAll(async () => {
    target = `/items/${(await createItem()).id}`;
  });

  it.each(accepted.map((one) => [one.title, one] as const))('is accepted and stored: %s', async (_title, one) => {
    const body = bodyWith(field, one.json);
    const created = itemOf(await send('POST', '/items', body), 201);
    expect(created[field]).toBe(one.stored);
    expect(await readItem(created.id)).toEqual(created);
    const replaced = itemOf(await send('PUT', target, body));
    expect(replaced[field]).toBe(one.stored);
    expect(itemOf(await admin.get(target))).toEqual(replaced);
  });

  it.each(refused.map((one) => [one.title, one] as const))('is refused with 422 and named: %s', async (_title, one) => {
    const body = bodyWith(field, one.json);
    const error = errorOf(await send('POST', '/items', body), 422);
    expect(fieldsOf(error)).toEqual([field]);
    expect(error.error).toContain(field);
    expect(errorOf(await send('PUT', target, body), 422)).toEqual(error);
  });
});
