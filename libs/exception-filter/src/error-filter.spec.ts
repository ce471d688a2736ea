import { RouteNotFoundError } from '@items/errors';
import type { ArgumentsHost } from '@nestjs/common';

import { ErrorFilter, type ErrorReply } from './error-filter.js';

function replyThat(sent: boolean) {
  const calls: unknown[] = [];
  const record = (value: unknown): ErrorReply => {
    calls.push(value);
    return reply;
  };
  const reply: ErrorReply = { sent, code: record, headers: record, send: record };
  const http = { getRequest: () => 'the request', getResponse: () => reply };
  return { calls, host: { switchToHttp: () => http } as unknown as ArgumentsHost };
}

describe('ErrorFilter', () => {
  it('answers with the status, headers and body of the error, and tells its listener', () => {
    const { calls, host } = replyThat(false);
    const heard: unknown[] = [];
    const error = new RouteNotFoundError();
    new ErrorFilter((...heardNow) => heard.push(...heardNow)).catch(error, host);
    expect(calls).toEqual([
      404,
      { 'content-type': 'application/json; charset=utf-8' },
      '{"error":"There is no resource at this path.","code":"route_not_found"}',
    ]);
    expect(heard).toEqual([error, 'the request']);
  });

  it('says nothing twice', () => {
    const { calls, host } = replyThat(true);
    new ErrorFilter().catch(new Error('too late'), host);
    expect(calls).toEqual([]);
  });
});
