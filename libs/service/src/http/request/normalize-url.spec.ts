import { isSameUrl, normalizeUrl } from './normalize-url.js';

describe('normalizeUrl (RFC 3986 §6.2.2, §6.2.3)', () => {
  it.each([
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['https://api.example.com:443/', 'https://api.example.com'],
    ['http://api.example.com:443', 'http://api.example.com:443'],
    ['http://localhost:80', 'http://localhost'],
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['https://api.example.com/a/../Items', 'https://api.example.com/Items'],
    ['https://api.example.com/caf%c3%a9/%7Eme', 'https://api.example.com/caf%C3%A9/~me'],
  ])('%s becomes %s', (text, expected) => expect(normalizeUrl(new URL(text))).toBe(expected));
});

describe('isSameUrl', () => {
  it.each([
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
    'HTTPS://API.EXAMPLE.COM:443/v1',
    'https://api.example.com:/v1',
    'https://api.example.com/x/../v1',
    'https://api.example.com/./%761',
  ])('%s is https://api.example.com/v1', (text) => expect(isSameUrl(text, 'https://api.example.com/v1')).toBe(true));

  it.each([
    'http://api.example.com/v1',
    'https://api.example.com',
    'https://api.example.com/V1',
    'https://api.example.com/v1//',
    'https://api.example.com:8443/v1',
    'https://api.example.com/v1?',
    'https://api.example.com/v1#',
    'https://user@api.example.com/v1',
    'https://api.example.com.evil.example/v1',
    'https:api.example.com/v1',
    'https:\\\\api.example.com\\v1',
    ' https://api.example.com/v1',
    'https://api.example.com/v\t1',
    'api.example.com/v1',
    '',
  ])('%p is not https://api.example.com/v1', (text) =>
    expect(isSameUrl(text, 'https://api.example.com/v1')).toBe(false),
  );

  it('does not treat another spelling of an IP address as the same host', () => {
    expect(isSameUrl('http://127.0.0.1', 'http://127.0.0.1')).toBe(true);
    expect(isSameUrl('http://0x7f.1', 'http://127.0.0.1')).toBe(false);
  });
});
