import { tidyForwarding } from './forwarding-headers.js';

function tidy(headers: Record<string, string>): Record<string, string> {
  tidyForwarding(headers);
  return headers;
}

describe('Headers of proxies', () => {
  it.each([
    ['203.0.113.1', '203.0.113.1'],
    ['203.0.113.1:5555', '203.0.113.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['203.0.113.1:5555, [2001:db8::1]:443 ,10.0.0.1', '203.0.113.1,2001:db8::1,10.0.0.1'],
    ['unknown', 'unknown'],
    ['203.0.113.1:port', '203.0.113.1:port'],
  ])('X-Forwarded-For: %s means %s', (written, read) => {
    expect(tidy({ 'x-forwarded-for': written })).toEqual({ 'x-forwarded-for': read });
  });

  it('X-Forwarded-Proto is a scheme in any case', () => {
    expect(tidy({ 'x-forwarded-proto': 'HTTPS' })).toEqual({ 'x-forwarded-proto': 'https' });
  });

  it('are not added where there are none', () => {
    expect(tidy({ host: 'x' })).toEqual({ host: 'x' });
  });
});
