import { serviceNameOf } from './composed.js';

describe('The name of a service', () => {
  it.each([
    ['books', 'books'],
    ['order_notes', 'order_notes'],
    ['City Library — Loans', 'city_library_loans'],
    ['3 Shelves', 'service_3_shelves'],
    ['図書館', 'service'],
    [undefined, 'service'],
    ['a'.repeat(60), 'a'.repeat(40)],
  ])('is made from %s: %s', (text, name) => {
    expect(serviceNameOf(text)).toBe(name);
  });
});
