import { API_VERSION } from '@items/dtos/contract';
import { rawExchange, waitedOut, type Answer, type RawExchange, type RawExchangeOptions } from '@items/testing';

import { errorShapeProblems } from './error-shape.js';
import { expectStatus } from './reading.js';
import { service, serviceHost, servicePort, startsServices } from './service.js';

/** The header line of a valid credential. */
export const KEY_LINE = `X-API-Key: ${service.apiKey}\r\n`;
export const HOST_LINE = 'Host: service.example\r\n';

/** Sends bytes to the shared service. With BASE_URL, waits for the quota of the given service. */
export async function exchange(bytes: string | Uint8Array, options: RawExchangeOptions = {}): Promise<RawExchange> {
  for (;;) {
    const result = await rawExchange(servicePort, bytes, { host: serviceHost, ...options });
    const { answer } = result;
    if (startsServices || answer === undefined) return result;
    if (!(await waitedOut(answer.status, answer.header('retry-after')))) return result;
  }
}

/** Sends bytes twice: both responses must be the same error, in the format of §7 and §9. */
export async function expectRawError(bytes: string | Uint8Array, ...statuses: readonly number[]): Promise<Answer> {
  const [first, second] = [await exchange(bytes), await exchange(bytes)];
  if (first.answer === undefined) throw new Error('The connection was closed without an answer');
  expectStatus(first.answer, ...statuses);
  expect(errorShapeProblems(first.answer)).toEqual([]);
  expect(first.answer.header('api-version')).toBe(API_VERSION);
  expect(first.answer.header('x-request-id')).toEqual(expect.any(String));
  expect(second.answer?.text).toBe(first.answer.text);
  return first.answer;
}
