import { SCOPES } from './contract/index.js';
import { ValidationError } from '@items/conventions';
import { validate } from '@items/fields';

import { CreateApiKeyDto, RateLimitDto, ReplaceApiKeyDto } from './api-key.dto.js';

function faultsOf(dto: typeof CreateApiKeyDto | typeof ReplaceApiKeyDto, body: object): string[] {
  try {
    validate<object>(dto, body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ field, code }) => `${field} ${code}`);
  }
  return [];
}

const faultsWith = (rest: object) => faultsOf(CreateApiKeyDto, { name: 'Shop', scopes: [], ...rest });

describe('authentication: a key has a name, scopes, expires_at and rate_limit', () => {
  it('needs name and scopes on creation; the rest becomes null', () => {
    expect(faultsOf(CreateApiKeyDto, {})).toEqual(['name required', 'scopes required']);
    expect(validate(CreateApiKeyDto, { name: ' Shop ', scopes: ['items:read'] })).toEqual({
      name: 'Shop',
      scopes: ['items:read'],
      expires_at: null,
      rate_limit: null,
      allowed_origins: null,
    });
  });

  it('ignores fields of the service, also the secret', () => {
    const sent = { id: 1, created_at: 1, updated_at: 1, last_used_at: 1, key: 'itk_x' };
    expect(faultsWith(sent)).toEqual([]);
    expect(Object.keys(validate(CreateApiKeyDto, { name: 'a', scopes: [], ...sent })).sort()).toEqual([
      'allowed_origins',
      'expires_at',
      'name',
      'rate_limit',
      'scopes',
    ]);
    expect(faultsWith({ secret: 1 })).toEqual(['secret unknown_field']);
  });
});

describe('SPEC §2.4: omitting a field that grants or refuses access never changes it', () => {
  const kept = { scopes: undefined, expires_at: undefined, rate_limit: undefined, allowed_origins: undefined };

  it('a field that is omitted on replacement is unchanged', () => {
    expect(validate(ReplaceApiKeyDto, { name: 'a' })).toEqual({ name: 'a', ...kept });
    expect(validate(ReplaceApiKeyDto, { name: 'a', scopes: [] }).scopes).toEqual([]);
  });

  it('null clears nullable fields', () => {
    const cleared = { expires_at: null, rate_limit: null, allowed_origins: null };
    expect(validate(ReplaceApiKeyDto, { name: 'a', ...cleared })).toMatchObject(cleared);
  });

  it('null is not leaving out the scopes', () => {
    expect(faultsOf(ReplaceApiKeyDto, { name: 'a', scopes: null })).toEqual(['scopes wrong_type']);
    expect(faultsWith({ scopes: null })).toEqual(['scopes wrong_type']);
  });
});

describe('authentication: scopes', () => {
  it('may be all that exist, in the order sent', () => {
    const scopes = [...SCOPES].reverse();
    expect(validate(CreateApiKeyDto, { name: 'a', scopes }).scopes).toEqual(scopes);
  });

  it.each([
    ['items:read', 'wrong_type'],
    [{}, 'wrong_type'],
    [['items:delete'], 'not_allowed'],
    [['constructor'], 'not_allowed'],
    [[1], 'not_allowed'],
    [[['items:read']], 'not_allowed'],
    [['items:read', 'items:read'], 'repeated'],
    [Array(100_000).fill('items:read'), 'repeated'],
  ])('%j', (scopes, code) => {
    expect(faultsWith({ scopes })).toEqual([`scopes ${code}`]);
  });
});

describe('authentication: rate_limit is a quota of its own', () => {
  it('is an object of the class', () => {
    const rate_limit = { requests: 1_000_000, seconds: 86_400 };
    const accepted = validate(CreateApiKeyDto, { name: 'a', scopes: [], rate_limit }).rate_limit;
    expect(accepted).toBeInstanceOf(RateLimitDto);
    expect({ ...accepted }).toStrictEqual(rate_limit);
  });

  it.each([
    ['10/60', ['rate_limit wrong_type']],
    [[], ['rate_limit wrong_type']],
    [{}, ['rate_limit.requests required', 'rate_limit.seconds required']],
    [{ requests: 0, seconds: 86_401 }, ['rate_limit.requests out_of_range', 'rate_limit.seconds out_of_range']],
    [{ requests: 1.5, seconds: '60' }, ['rate_limit.requests wrong_type', 'rate_limit.seconds wrong_type']],
    [{ requests: null, seconds: 1e21 }, ['rate_limit.requests wrong_type', 'rate_limit.seconds out_of_range']],
    [{ requests: 1, seconds: 1, burst: 1 }, ['rate_limit.burst unknown_field']],
    [{ requests: 1, seconds: 1, id: 1 }, ['rate_limit.id unknown_field']],
    [null, []],
  ])('%j', (rate_limit, faults) => {
    expect(faultsWith({ rate_limit })).toEqual(faults);
  });
});

describe('authentication: expires_at', () => {
  it('lies in the future', () => {
    expect(faultsWith({ expires_at: '2020-01-01T00:00:00Z' })).toEqual(['expires_at not_in_future']);
    expect(faultsWith({ expires_at: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });
});
