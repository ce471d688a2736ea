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
    'with %j is the address of the client before authentication',
    (headers) => {
      expect(keys.keyOf(received(headers))).toBe(OF_ADDRESS);
    },
  );

  it.each([{ authorization: 'Bearer token' }, { 'x-api-key': 'key' }])(
    'with %j is the user after the credential was valid once, on every connection',
    (headers) => {
      const over = socket();
      recognize(received(headers, over), ADA);
      expect(keys.keyOf(received(headers, over))).toBe(ADA);
      expect(keys.keyOf(received(headers))).toBe(ADA);
      expect(keys.keyOf(received({ authorization: 'Bearer other' }, over))).toBe(OF_ADDRESS);
    },
  );

  it('is the address again after the credential was refused', () => {
    const [headers, over] = [{ 'x-api-key': 'key' }, socket()];
    recognize(received(headers, over), ADA);
    const message = received(headers, over);
    recognize(message, undefined);
    expect([keys.keyOf(message), fairnessKeyOf(message)]).toEqual([OF_ADDRESS, OF_ADDRESS]);
    expect([keys.keyOf(received(headers, over)), keys.keyOf(received(headers))]).toEqual([OF_ADDRESS, OF_ADDRESS]);
  });

  it('changes with the user of the credential', () => {
    const [headers, over] = [{ 'x-api-key': 'key' }, socket()];
    recognize(received(headers, over), ADA);
    recognize(received(headers, over), 'user:bob');
    expect([keys.keyOf(received(headers, over)), keys.keyOf(received(headers))]).toEqual(['user:bob', 'user:bob']);
  });

  it('is the user after authentication', () => {
    const message = received({ 'x-api-key': 'key' });
    expect(fairnessKeyOf(message)).toBe(OF_ADDRESS);
    recognize(message, ADA);
    expect([keys.keyOf(message), fairnessKeyOf(message)]).toEqual([ADA, ADA]);
  });

  it('makes a request wait for a slot of its user if its credential was unknown', () => {
    const over = socket();
    expect(recognize(received({ 'x-api-key': 'key' }, over), ADA)).toBe(true);
    expect(recognize(received({ 'x-api-key': 'key' }, over), ADA)).toBe(false);
    expect(recognize(received({ 'x-api-key': 'key' }), ADA)).toBe(false);
    expect(recognize(received({ 'x-api-key': 'other' }, over), undefined)).toBe(false);
  });

  it('is the address of the client behind a trusted proxy', () => {
    const message = received({});
    message[CLIENT_ADDRESS] = '203.0.113.7';
    expect(keys.keyOf(message)).toBe('address:203.0.113.7');
  });
});
