import { CLIENT_ADDRESS, COUNTED_BY, type ReceivedRequest } from '../received-request.js';
import { FairnessKeys, fairnessKeyOf, recognize } from './fairness-keys.js';

const ADA = 'user:ada';
const OF_ADDRESS = 'address:2001:db8:0:0';

describe('The fairness key of a request', () => {
  let keys: FairnessKeys;
  let counted: { readonly fairnessKeys: FairnessKeys };
  beforeEach(() => {
    keys = new FairnessKeys();
    counted = { fairnessKeys: keys };
  });

  const socket = (): object => ({ remoteAddress: '2001:db8::1' });
  const received = (headers: object, over: object = socket()): ReceivedRequest =>
    ({ headers, socket: over, [COUNTED_BY]: counted }) as unknown as ReceivedRequest;

  it.each([{}, { authorization: 'Bearer unknown' }, { 'x-api-key': 'unknown' }, { authorization: 'Basic YTpi' }])(
    '%j is that of its address before authentication',
    (headers) => {
      expect(keys.keyOf(received(headers))).toBe(OF_ADDRESS);
    },
  );

  it.each([{ authorization: 'Bearer token' }, { 'x-api-key': 'key' }])(
    '%j is that of its user once it was valid, on every connection',
    (headers) => {
      const over = socket();
      recognize(received(headers, over), ADA);
      expect(keys.keyOf(received(headers, over))).toBe(ADA);
      expect(keys.keyOf(received(headers))).toBe(ADA);
      expect(keys.keyOf(received({ authorization: 'Bearer other' }, over))).toBe(OF_ADDRESS);
    },
  );

  it('is that of the address again once the credential is no longer valid', () => {
    const [headers, over] = [{ 'x-api-key': 'key' }, socket()];
    recognize(received(headers, over), ADA);
    const message = received(headers, over);
    recognize(message, undefined);
    expect([keys.keyOf(message), fairnessKeyOf(message)]).toEqual([OF_ADDRESS, OF_ADDRESS]);
    expect([keys.keyOf(received(headers, over)), keys.keyOf(received(headers))]).toEqual([OF_ADDRESS, OF_ADDRESS]);
  });

  it('follows a credential whose user has changed', () => {
    const [headers, over] = [{ 'x-api-key': 'key' }, socket()];
    recognize(received(headers, over), ADA);
    recognize(received(headers, over), 'user:bob');
    expect([keys.keyOf(received(headers, over)), keys.keyOf(received(headers))]).toEqual(['user:bob', 'user:bob']);
  });

  it('is known from the authentication on', () => {
    const message = received({ 'x-api-key': 'key' });
    expect(fairnessKeyOf(message)).toBe(OF_ADDRESS);
    recognize(message, ADA);
    expect([keys.keyOf(message), fairnessKeyOf(message)]).toEqual([ADA, ADA]);
  });

  it('makes a request wait for the turn of its user if its credential was not known', () => {
    const over = socket();
    expect(recognize(received({ 'x-api-key': 'key' }, over), ADA)).toBe(true);
    expect(recognize(received({ 'x-api-key': 'key' }, over), ADA)).toBe(false);
    expect(recognize(received({ 'x-api-key': 'key' }), ADA)).toBe(false);
    expect(recognize(received({ 'x-api-key': 'other' }, over), undefined)).toBe(false);
  });

  it('is that of the client behind a trusted proxy', () => {
    const message = received({});
    message[CLIENT_ADDRESS] = '203.0.113.7';
    expect(keys.keyOf(message)).toBe('address:203.0.113.7');
  });
});
