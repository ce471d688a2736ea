import { type Presented, resourceOf, unauthorized } from './challenges.js';

const BASE = { baseUrl: 'https://items.example/' };

describe('unauthorized()', () => {
  const challengesFor = (presented: Presented): readonly string[] =>
    unauthorized(presented, BASE).headers['www-authenticate'] as readonly string[];

  it('has a challenge for each method, and the page about the tokens', () => {
    expect(challengesFor({ method: 'none' })).toEqual([
      'Bearer realm="items", resource_metadata="https://items.example/.well-known/oauth-protected-resource"',
      'Basic realm="items", charset="UTF-8"',
      'ApiKey realm="items", header="X-API-Key"',
    ]);
  });

  it('says invalid_token only of a bearer token', () => {
    expect(challengesFor({ method: 'authorization', scheme: 'bearer' })[0]).toContain('error="invalid_token"');
    for (const presented of [{ method: 'authorization', scheme: 'basic' }, { method: 'api-key' }] as const) {
      expect(challengesFor(presented).join()).not.toContain('invalid_token');
    }
  });

  it('says that a credential is missing, or that it is not valid, and not why', () => {
    expect(unauthorized({ method: 'none' }, BASE).message).toMatch(/needs a credential/);
    expect(unauthorized({ method: 'api-key' }, BASE).message).toBe('The credential is not valid.');
  });
});

it('The service is called by its base URL without the slash at the end', () => {
  expect(resourceOf('https://items.example/')).toBe('https://items.example');
});
