import { keyOf } from './event-key.js';
import { SqlitePlaces } from './sqlite-places.js';

it('rows that share a stamp have places of their own, in their order, which their ids say', () => {
  const ids = [
    '018f3c2a-9b1d-73e7-8000-000000000001',
    '018f3c2a-9b1d-73e7-8000-000000000002',
    '018f3c2a-9b1d-73e7-b000-000000000003',
    '018f3c2a-9b1e-7000-8000-000000000004',
    '018f3c2a-9b1e-7005-8000-000000000005',
  ];
  const places = new SqlitePlaces();
  const placed = ids.map((id) => places.next(id));
  expect(placed.map(({ id }) => id)).toEqual([
    ids[0],
    '018f3c2a-9b1e-7000-8000-000000000002',
    '018f3c2a-9b1e-7001-b000-000000000003',
    '018f3c2a-9b1e-7002-8000-000000000004',
    ids[4],
  ]);
  for (const { place, id } of placed) expect(keyOf('sqlite', id)).toBe(place);
  expect(new Set(placed.map(({ place }) => place)).size).toBe(ids.length);
  expect([...places.moved.keys()]).toEqual(ids.slice(1, 4));
});
