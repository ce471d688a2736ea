import { isLoopback, isLoopbackAddress, isOtherLocalhost, isSecureLoopback } from './redirect-uris.js';

describe('A redirect URI on the machine of the user', () => {
  it.each([
    ['http://127.0.0.1:4711/back', true, true, false],
    ['http://[::1]/back', true, true, false],
    ['http://localhost/back', false, true, false],
    ['https://localhost/back', false, false, true],
    ['https://[::1]:1/back', false, false, true],
    ['http://localhost.example/back', false, false, false],
    ['http://127.0.0.1.example/back', false, false, false],
    ['https://shop.example/back', false, false, false],
  ])('%s: by address %s, by address or name %s, by https %s', (uri, byAddress, byAny, bySecure) => {
    expect([isLoopbackAddress(uri), isLoopback(uri), isSecureLoopback(uri)]).toEqual([byAddress, byAny, bySecure]);
  });

  it('names localhost, which is allowed only as it was registered', () => {
    const client = { redirect_uris: ['http://localhost:80/back'] };
    expect(isOtherLocalhost(client, 'http://localhost:80/back')).toBe(false);
    expect(isOtherLocalhost(client, 'http://localhost:81/back')).toBe(true);
    expect(isOtherLocalhost(client, 'http://127.0.0.1:81/back')).toBe(false);
  });
});
