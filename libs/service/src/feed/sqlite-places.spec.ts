import { keyOf, MAX_SHIFT } from './event-key.js';
import { SqlitePlaces } from './sqlite-places.js';

const ids = [
  '018f3c2a-9b1d-73e7-8000-000000000001',
  '018f3c2a-9b1d-73e7-8000-000000000002',
  '018f3c2a-9b1d-73e7-b000-000000000003',
  '018f3c2a-9b1e-7000-8000-000000000004',
  '018f3c2a-9b1e-7005-8000-000000000005',
];

it('rows that share a stamp have consecutive positions', () => {
  const places = new SqlitePlaces();
  const [first = 0, ...others] = ids.map((id) => Number(keyOf('sqlite', id)));
  expect(ids.map((id) => places.next(id))).toEqual([first, first + 1, first + 2, first + 3, others.at(-1)]);
  expect(places.lastStamp).toBe(Math.floor((others.at(-1) ?? 0) / 2));
});

it('a row too far from its key is refused', () => {
  const places = new SqlitePlaces();
  for (let n = 0; n <= MAX_SHIFT; n += 1) places.next(ids[0] ?? '');
  expect(() => places.next(ids[0] ?? '')).toThrow(RangeError);
});
