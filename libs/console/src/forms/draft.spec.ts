import type { Field, FieldKind } from '../document/field.js';
import { draftOf, inputOf } from './draft.js';

const field = (name: string, kind: FieldKind, more: Partial<Field> = {}): Field => ({
  ...{
    name,
    kind,
    isRequired: false,
    isNullable: true,
    description: undefined,
    choices: [],
    target: undefined,
    fields: [],
  },
  ...more,
});

describe('inputOf', () => {
  it('returns the values of the member if nothing was typed', () => {
    const row = {
      ...{ name: 'Mug', note: null, price: 12.5, stock: 3, sold: true, at: '2026-11-20T09:30:01.250Z' },
      ...{ kinds: ['a'], lines: [{ quantity: 2 }], tags: ['x', 'y'], limit: { seconds: 60 }, any: { b: [1] } },
    };
    const fields = [
      ...[field('name', 'text'), field('note', 'long text'), field('price', 'money'), field('stock', 'number')],
      ...[field('sold', 'flag', { isNullable: false }), field('at', 'time'), field('kinds', 'choices')],
      field('lines', 'objects', { fields: [field('quantity', 'number')] }),
      ...[
        field('tags', 'texts'),
        field('limit', 'object', { fields: [field('seconds', 'number')] }),
        field('any', 'json'),
      ],
    ];
    expect(inputOf(fields, draftOf(fields, row))).toEqual(row);
  });

  it('an empty field is null if it is nullable, otherwise omitted; an empty required field is sent', () => {
    const fields = [
      ...[field('note', 'text'), field('role', 'choice', { isNullable: false })],
      ...[field('name', 'text', { isNullable: false, isRequired: true }), field('limit', 'object')],
      field('password', 'secret', { isNullable: false }),
      field('scopes', 'choices', { isNullable: false, isRequired: true }),
    ];
    expect(inputOf(fields, draftOf(fields))).toEqual({ note: null, name: '', limit: null, scopes: [] });
  });

  it.each([
    ['12,50', 12.5],
    [' 7 ', 7],
    ['-1', -1],
    ['much', 'much'],
    ['1.000,5', '1.000,5'],
    ['1,000', '1,000'],
  ])('the number %p is sent as %p', (typed, sent) => {
    expect(inputOf([field('price', 'money')], { price: typed })).toEqual({ price: sent });
  });

  it('empty entries at the end of a list are omitted; others stay, so that errors name the right entry', () => {
    const lines = field('lines', 'objects', { isNullable: false, fields: [field('quantity', 'number')] });
    const draft = { lines: [{ quantity: '' }, { quantity: '2' }, { quantity: ' ' }] };
    expect(inputOf([lines], draft)).toEqual({ lines: [{ quantity: null }, { quantity: 2 }] });
  });

  it('returns the exact value of each unchanged field', () => {
    const inner = [field('rate', 'number'), field('note', 'text')];
    const fields = [field('tags', 'texts'), field('rate', 'number'), field('name', 'text')];
    const nested = [...fields, field('one', 'object', { fields: inner }), field('many', 'objects', { fields: inner })];
    const values = { rate: 1e-7, note: '' };
    const row = { tags: [' a '], name: 'Old', rate: 1e-7, one: values, many: [values] };
    const shown = { ...row, one: { ...values, id: 'read-only' }, many: [{ ...values, id: 'read-only' }] };
    const draft = { ...draftOf(nested, shown), name: 'New' };
    expect(inputOf(nested, draft, shown)).toEqual({ ...row, name: 'New' });
  });
});
