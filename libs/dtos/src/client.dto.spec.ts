import type { ValidationError } from '@items/conventions';
import { validate } from '@items/fields';

import { CreateClientDto, ReplaceClientDto } from './client.dto.js';

const CLIENT = { name: 'Shop', redirect_uris: ['https://shop.example/back'], scopes: ['items:read'] };

function problems(input: object, dto = CreateClientDto): unknown {
  try {
    validate(dto, input);
    return 'accepted';
  } catch (error) {
    return (error as ValidationError).details.map(({ field, code }) => `${field} ${code}`);
  }
}

describe('an OAuth client (SPEC §5)', () => {
  it('is accepted; the service chooses grant_types if creation omits them', () => {
    expect(validate(CreateClientDto, CLIENT)).toEqual({
      ...CLIENT,
      grant_types: undefined,
      token_endpoint_auth_method: undefined,
    });
    expect(validate(ReplaceClientDto, { name: 'Shop' })).toEqual({
      name: 'Shop',
      redirect_uris: undefined,
      scopes: undefined,
      grant_types: undefined,
      token_endpoint_auth_method: undefined,
    });
  });

  it.each([
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example:8443/back?tenant=7&x=%20',
    'https://[2001:db8::1]/back',
    'http://localhost:8080/back',
    'http://127.0.0.1/',
    'http://[::1]:3000/back',
  ])('may be sent codes at %s', (uri) => {
    expect(problems({ ...CLIENT, redirect_uris: [uri] })).toBe('accepted');
  });

  it.each([
    [{ redirect_uris: 'https://shop.example' }, 'redirect_uris wrong_type'],
    [{ redirect_uris: [7] }, 'redirect_uris wrong_type'],
    [{ redirect_uris: ['https://a.example', 'https://a.example'] }, 'redirect_uris repeated'],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${String(n)}`) },
      'redirect_uris too_many',
    ],
    [{ redirect_uris: [`https://a.example/${'x'.repeat(2000)}`] }, 'redirect_uris too_long'],
    [{ redirect_uris: ['https://a.example/#x'] }, 'redirect_uris not_allowed'],
    [{ redirect_uris: ['https://a.example\n'] }, 'redirect_uris not_allowed'],
    [{ grant_types: ['password'] }, 'grant_types not_allowed'],
    [{ grant_types: null }, 'grant_types wrong_type'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method not_allowed'],
    [{ scopes: undefined }, 'scopes required'],
  ])('is refused with %j: %s', (changes, problem) => {
    expect(problems({ ...CLIENT, ...changes })).toEqual([problem]);
  });
});
