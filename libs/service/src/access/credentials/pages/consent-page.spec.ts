import type { Scope } from '@items/dtos/contract';

import { scopeSentence } from './consent-page.js';

describe('scopeSentence()', () => {
  it.each([
    ['orders:read', 'See your own orders'],
    ['orders:write', 'Place orders for you, confirm and cancel them'],
    ['users:read', 'See your username, name, e-mail address and role'],
    ['blue-mugs:read', 'See blue mugs'],
    ['blue-mugs:write', 'Create, change and delete blue mugs'],
  ])('describes the permission %s: %s', (scope, sentence) => {
    expect(scopeSentence(scope as Scope)).toBe(sentence);
  });
});
