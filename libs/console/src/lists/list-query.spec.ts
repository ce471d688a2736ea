import type { Collection, Filter } from '../document/model.js';
import { hasRange, readQuery, setFilter, sortOf, toggleSort, withQuery } from './list-query.js';

const filter = (name: string, field: string, kind: Filter['kind']): Filter => ({
  name,
  field,
  kind,
  type: 'text',
  choices: [],
});
const [color, priceMin, nameBegins] = [
  filter('color', 'color', 'equal'),
  filter('price_min', 'price', 'min'),
  filter('name_prefix', 'name', 'prefix'),
] as const;
const collection = {
  sorts: ['name', '-name', 'price', '-price', 'created_at', '-created_at'],
  filters: [color, priceMin, nameBegins],
} as unknown as Collection;

it('the newest come first, unless the query has a sort that exists', () => {
  expect(sortOf(collection, {})).toBe('-created_at');
  expect(sortOf(collection, { sort: 'price' })).toBe('price');
  expect(sortOf(collection, { sort: 'evil' })).toBe('-created_at');
});

it('a click on a column head sorts by it, a second click reverses the order, and ranges of other fields are removed', () => {
  const once = toggleSort(collection, { color: 'red', name_prefix: 'a' }, 'price');
  expect(once).toEqual({ color: 'red', sort: 'price' });
  expect(toggleSort(collection, once, 'price')).toEqual({ color: 'red', sort: '-price' });
});

it('a range sorts by its field, keeps the direction, and removes the range of another field', () => {
  expect(setFilter(collection, {}, priceMin, '10')).toEqual({ sort: 'price', price_min: '10' });
  expect(setFilter(collection, { sort: '-price' }, priceMin, '10')).toEqual({ sort: '-price', price_min: '10' });
  expect(setFilter(collection, { sort: 'price', price_min: '1' }, nameBegins, 'M')).toEqual({
    sort: 'name',
    name_prefix: 'M',
  });
  expect(setFilter(collection, { color: 'red' }, color, '')).toEqual({});
});

it('only a list with a range has no total', () => {
  expect(hasRange(collection, { color: 'red' })).toBe(false);
  expect(hasRange(collection, { price_min: '1' })).toBe(true);
});

it('the URL holds the query, without parameters that the list does not have', () => {
  const query = readQuery(collection, new URLSearchParams('sort=price&color=a%26b&evil=1&price_min='));
  expect(query).toEqual({ sort: 'price', color: 'a&b' });
  expect(withQuery('/items', query)).toBe('/items?sort=price&color=a%26b');
});
