import { hasCredentialInUrl } from './request-head.js';

describe('A credential in the URL (SPEC §5.1)', () => {
  it.each([
    '?api_key=x',
    '?apikey=x',
    '?api-key=x',
    '?x-api-key=x',
    '?access_token=x',
    '?refresh_token=x',
    '?token=x',
    '?password=x',
    '?client_secret=x',
    '?page=2&X-API-Key=x',
    '?Access_Token',
    '?%61pi%5Fkey=x',
    '?a=?&token=x',
  ])('is found in /items%s', (query) => {
    expect(hasCredentialInUrl(`/items${query}`)).toBe(true);
  });

  it.each(['', '?', '?page=2&per_page=10', '?tokens=x', '?color=token', '?%ZZ=token', '?a=api_key'])(
    'is not found in /items%s',
    (query) => {
      expect(hasCredentialInUrl(`/items${query}`)).toBe(false);
    },
  );
});
