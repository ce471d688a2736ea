import type { Field } from '../document/field.js';
import { mergedInput, mergeOf } from './merge.js';

const fields = ['name', 'color', 'price', 'size', 'note'].map((name) => ({ name, kind: 'text' }) as Field);
const base = { name: 'a', color: 'a', price: 'a', size: 'a', note: 'a' };
const theirs = { name: 'a', color: 'b', price: 'b', size: 'b', note: 'a' };
const mine = { name: 'c', color: 'a', price: 'c', size: 'b', note: 'a' };

it('keeps changes of only one side, and finds conflicting changes', () => {
  const merges = mergeOf(fields, { base, theirs, mine });
  expect(merges.map(({ field, side }) => [field.name, side])).toEqual([
    ['name', 'mine'],
    ['color', 'theirs'],
    ['price', 'conflict'],
    ['size', 'theirs'],
  ]);
  expect(mergedInput({ base, theirs, mine }, { price: 'mine' })).toEqual({ ...mine, color: 'b' });
  expect(mergedInput({ base, theirs, mine }, { price: 'theirs' })).toEqual({ ...mine, color: 'b', price: 'b' });
});

it('never compares a secret, which cannot be read', () => {
  const password = [{ name: 'password', kind: 'secret' } as Field];
  const changes = { base: {}, theirs: {}, mine: { password: 'new' } };
  expect(mergeOf(password, changes)).toEqual([]);
  expect(mergedInput(changes, {})).toEqual({ password: 'new' });
});
