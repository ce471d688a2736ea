import { ServiceUnavailableError } from '@items/conventions';

import type { HealthAnswer } from './health-board.js';
import { reportReadiness } from './report-readiness.js';

const STOPPING = new ServiceUnavailableError('stopping', 'The service is about to stop.');

describe('reportReadiness', () => {
  let reported: HealthAnswer[];
  let answer: () => Promise<object>;
  let stop: AbortController;

  beforeEach(() => {
    jest.useFakeTimers();
    reported = [];
    answer = () => Promise.resolve({ status: 'ok' });
    stop = new AbortController();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const begin = async (): Promise<void> => {
    reportReadiness({ ready: () => answer() }, stop.signal, (what) => reported.push(what));
    await jest.advanceTimersByTimeAsync(0);
  };
  const statuses = (): number[] => reported.map(({ status }) => status);

  it('reports immediately, and changes within a second', async () => {
    await begin();
    expect(reported).toEqual([expect.objectContaining({ status: 200, body: '{"status":"ok"}' })]);
    answer = () => Promise.reject(new ServiceUnavailableError('database_unavailable', 'Down.'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(reported.at(-1)).toMatchObject({ status: 503, body: '{"error":"Down.","code":"database_unavailable"}' });
  });

  it('repeats its report while a check is pending, and starts no second check', async () => {
    await begin();
    let asked = 0;
    answer = () => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const before = reported.length;
    await jest.advanceTimersByTimeAsync(5_000);
    expect([asked, reported.length - before]).toEqual([1, 5]);
    expect(statuses()).not.toContain(503);
  });

  it('reports a stop immediately, and ignores an earlier check that ends later', async () => {
    await begin();
    let late: (body: object) => void = () => undefined;
    answer = () => new Promise((resolve) => (late = resolve));
    await jest.advanceTimersByTimeAsync(1_000);
    answer = () => Promise.reject(STOPPING);
    stop.abort();
    await jest.advanceTimersByTimeAsync(0);
    expect(reported.at(-1)).toMatchObject({ status: 503 });
    const before = reported.length;
    late({ status: 'ok' });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(statuses().slice(before)).not.toContain(200);
  });
});
