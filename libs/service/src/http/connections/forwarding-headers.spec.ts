import type { ReceivedRequest } from '../received-request.js';
import { clientAddress } from './connection.js';
import { proxiesAmong, readForwarding } from './forwarding-headers.js';

const isProxy = proxiesAmong(['127.0.0.1', '10.0.0.0/8', 'fe80::/10']);

function received(headers: Record<string, string>, remoteAddress = '127.0.0.1'): ReceivedRequest {
  const message = { headers, socket: { remoteAddress } } as unknown as ReceivedRequest;
  readForwarding(message, isProxy);
  return message;
}

describe('Headers of proxies', () => {
  it.each([
    ['203.0.113.1', '203.0.113.1'],
    ['203.0.113.1:5555', '203.0.113.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8::A', '2001:db8::a'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:203.0.113.1', '::ffff:203.0.113.1'],
    ['203.0.113.1:5555, [2001:db8::1]:443 ,10.0.0.1', '2001:db8::1'],
    ['forged, 203.0.113.1', '203.0.113.1'],
    ['203.0.113.9, 10.0.0.2:80, 10.0.0.1', '203.0.113.9'],
    ['10.0.0.2, 10.0.0.1', '10.0.0.2'],
  ])('X-Forwarded-For: %s of a trusted proxy names the client %s', (written, client) => {
    const message = received({ 'x-forwarded-for': written });
    expect(clientAddress(message)).toBe(client);
    expect(message.headers['x-forwarded-for']?.toString().split(',')).toContain(client);
  });

  it.each([
    'unknown',
    '_hidden',
    '203.0.113.1:port',
    '203.0.113.300',
    '203.0.113.1, unknown',
    '203.0.113.1, unknown, 10.0.0.1',
    'unknown, 10.0.0.1',
    '203.0.113.1,',
    '',
    `fe80::1%${'x'.repeat(50)}`,
    `203.0.113.1, 2001:db8::1%${'0'.repeat(100)}`,
    '203.0.113.1 203.0.113.2',
    'http://203.0.113.1',
  ])('X-Forwarded-For: %j of a trusted proxy names no client: the peer counts', (written) => {
    const message = received({ 'x-forwarded-for': written });
    expect(clientAddress(message)).toBe('127.0.0.1');
    expect(message.headers).toEqual({});
  });

  it('X-Forwarded-For of another peer does not count', () => {
    const message = received({ 'x-forwarded-for': '203.0.113.1' }, '192.0.2.9');
    expect(clientAddress(message)).toBe('192.0.2.9');
  });

  it('X-Forwarded-Proto is a scheme in any case', () => {
    expect(received({ 'x-forwarded-proto': 'HTTPS' }).headers).toEqual({ 'x-forwarded-proto': 'https' });
  });

  it('are not added if a request has none', () => {
    const message = received({ host: 'x' });
    expect([clientAddress(message), message.headers]).toEqual(['127.0.0.1', { host: 'x' }]);
  });
});
