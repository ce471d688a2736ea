import { isScope, SCOPES } from './scope.js';

describe('SPEC §5: scopes', () => {
  const DECIDED = `items:read items:write orders:read orders:write users:read users:write keys:manage clients:manage
    webhooks:manage audit:read`;

  it('are the ten of SPEC §5.2, each once', () => {
    expect([...SCOPES].sort()).toEqual(DECIDED.split(/\s+/).sort());
    expect(new Set(SCOPES).size).toBe(SCOPES.length);
    for (const scope of SCOPES) expect(scope).toMatch(/^[a-z][a-z-]*:(read|write|manage)$/);
  });

  it.each(SCOPES)('%s is one', (scope) => {
    expect(isScope(scope)).toBe(true);
  });

  it.each(['', 'items', 'items:READ', 'items:read ', 'constructor', 0, null, undefined, ['items:read']])(
    '%j is none',
    (text) => {
      expect(isScope(text)).toBe(false);
    },
  );
});
