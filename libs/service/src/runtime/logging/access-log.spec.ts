import { EventEmitter } from 'node:events';

import type { FastifyReply } from 'fastify';

import { type ReceivedRequest, pauseForEvent } from '../../http/received-request.js';
import { accessLog } from './access-log.js';
import type { Log } from './log.js';

describe('A request that waits for an event', () => {
  const now = jest.spyOn(performance, 'now');
  afterAll(() => now.mockRestore());

  const req = (): ReceivedRequest => Object.create(null) as ReceivedRequest;
  /** Returns the warnings about a request that began at 0 with SLOW_MS 500, after these timed steps. */
  function warningsOf(message: ReceivedRequest, ...steps: readonly (readonly [atMs: number, step?: () => unknown])[]) {
    const warn = jest.fn<undefined, [fields: { readonly duration_ms: number }, message: string]>();
    const log = { warn, isLevelEnabled: () => false } as unknown as Log;
    const raw = Object.assign(new EventEmitter(), { req: message, writableFinished: true });
    const request = { id: '1', method: 'GET', params: {}, routeOptions: { config: { url: '/events' } } };
    now.mockReturnValue(0);
    accessLog(log, { slowMs: 500 })({ raw, request, statusCode: 200 } as unknown as FastifyReply);
    for (const [atMs, step] of steps) {
      now.mockReturnValue(atMs);
      step?.();
    }
    raw.emit('close');
    return warn.mock.calls.map(([{ duration_ms: durationMs }, said]) => [said, durationMs]);
  }

  it('counts as slow without its waits, and is logged with the whole time', () => {
    let wake: () => void;
    const [first, second] = [req(), req()];
    const rests = (message: ReceivedRequest) => () => (wake = pauseForEvent(message));
    const ends = (): void => wake();
    expect(warningsOf(first, [10, rests(first)], [9000, ends], [9010, rests(first)], [20_000, ends], [20_400])).toEqual(
      [],
    );
    expect(warningsOf(second, [10, rests(second)], [9000, ends], [9600])).toEqual([['slow request', 9600]]);
  });

  it('is not slow if its client disconnects meanwhile', () => {
    const message = req();
    expect(warningsOf(message, [10, () => pauseForEvent(message)], [9000])).toEqual([]);
  });

  it('counts as any other before it waits', () => {
    expect(warningsOf(req(), [500])).toEqual([['slow request', 500]]);
  });
});
