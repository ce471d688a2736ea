import { Outage } from './outage.js';

describe('The log of an outage', () => {
  let lines: [message: string, fields: object][];
  let outage: Outage;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    outage = new Outage(
      { warn: (fields, message) => void lines.push([message, fields]) },
      'The database',
      '; requests get 503',
    );
  });
  afterEach(() => {
    outage.stop();
    jest.useRealTimers();
  });

  it('has one line at the start, one a minute, and one at the end with the number of failures', () => {
    for (let second = 0; second < 150; second += 1) {
      for (let n = 0; n < 10; n += 1) outage.fail(new Error('connection refused'));
      jest.advanceTimersByTime(1000);
    }
    outage.succeed();
    jest.advanceTimersByTime(10_000);
    expect(lines).toEqual([
      ['The database does not answer; requests get 503', { failures: 1, cause: 'connection refused' }],
      ['The database still does not answer; requests get 503', { failures: 600, cause: 'connection refused' }],
      ['The database still does not answer; requests get 503', { failures: 1200, cause: 'connection refused' }],
      ['The database answers again', { failures: 1500, lasted_ms: 149_000 }],
    ]);
    expect(outage.isOn).toBe(false);
    outage.fail(new Error('connection refused'));
    expect(outage.totalFailures).toBe(1501);
  });

  it('reports short interruptions within seconds as one outage', () => {
    for (let n = 0; n < 20; n += 1) {
      outage.fail(new Error('too slow'));
      outage.succeed();
      jest.advanceTimersByTime(2000);
    }
    expect(lines).toHaveLength(1);
    outage.succeed();
    jest.advanceTimersByTime(6000);
    expect(lines.map(([message]) => message)).toEqual([
      'The database does not answer; requests get 503',
      'The database answers again',
    ]);
  });

  it('does not end while no request succeeds', () => {
    outage.fail(new Error('gone'));
    jest.advanceTimersByTime(600_000);
    expect([outage.isOn, lines.length]).toEqual([true, 1]);
  });

  it('has no line without a failure', () => {
    outage.succeed();
    jest.advanceTimersByTime(600_000);
    expect(lines).toEqual([]);
  });

  it('names all causes for a host with several addresses', () => {
    outage.fail(new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]));
    expect(lines[0]?.[1]).toMatchObject({ cause: 'refused by ::1; refused by 127.0.0.1' });
  });
});
