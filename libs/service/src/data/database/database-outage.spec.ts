import { NO_LOG } from '../outages/store-log.js';
import { DatabaseLostError, DatabaseOutage, outageCauseOf } from './database-outage.js';

const coded = (code: string): Error => Object.assign(new Error('of a driver'), { code });

describe('The cause of an outage is one word, for each driver', () => {
  it.each([
    ['disk_full', ['SQLITE_FULL', '53100', 'ENOSPC'].map(coded)],
    ['file_lost', [new DatabaseLostError('items.sqlite was deleted')]],
    ['slow', ['SQLITE_BUSY_SNAPSHOT', '57014', '40P01'].map(coded)],
    ['slow', [new Error('Query read timeout'), new Error('timeout exceeded when trying to connect')]],
    ['unreachable', ['08006', '57P01', '53300', '25006', 'ECONNREFUSED', 'EAI_AGAIN'].map(coded)],
    ['unreachable', [new Error('Connection terminated unexpectedly')]],
    ['unreachable', [Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: 'ECONNREFUSED' })]],
    ['other', [coded('SQLITE_IOERR_READ'), new Error('?'), undefined]],
  ])('%s', (word, causes) => {
    expect(causes.map(outageCauseOf)).toEqual(causes.map(() => word));
  });

  it('has its own log line if the disk is full', () => {
    jest.useFakeTimers();
    const lines: string[] = [];
    const outage = new DatabaseOutage({ ...NO_LOG, error: (_, line) => void lines.push(line) });
    outage.fail(coded('SQLITE_FULL'));
    outage.succeed();
    jest.advanceTimersByTime(7_000);
    outage.stop();
    jest.useRealTimers();
    expect(lines).toEqual([
      'The database has no room left on its disk; requests that need it get 503',
      'The database answers again',
    ]);
  });

  describe('begins with a failed connection, or with three timeouts in a row', () => {
    const timeout = coded('57014');
    let lines: string[];
    let outage: DatabaseOutage;

    beforeEach(() => {
      jest.useFakeTimers();
      lines = [];
      outage = new DatabaseOutage({ ...NO_LOG, error: (_, line) => void lines.push(line) });
    });
    afterEach(() => {
      outage.stop();
      jest.useRealTimers();
    });

    it('a failed connection is an outage immediately', () => {
      outage.succeed();
      expect([outage.fail(coded('ECONNREFUSED')), outage.isOn]).toEqual([true, true]);
    });

    it('a success between two timeouts restarts the count', () => {
      for (let n = 0; n < 10; n += 1) {
        outage.succeed();
        jest.advanceTimersByTime(100);
        expect([outage.fail(timeout), outage.fail(timeout)]).toEqual([false, false]);
      }
      expect([outage.isOn, outage.totalFailures, lines]).toEqual([false, 20, []]);
    });

    it('the third timeout in a row is an outage', () => {
      outage.succeed();
      jest.advanceTimersByTime(100);
      expect([1, 2, 3, 4].map(() => outage.fail(timeout))).toEqual([false, false, true, true]);
      expect([outage.isOn, outage.causeNow, lines.length]).toEqual([true, 'slow', 1]);
    });

    it('many concurrent timeouts are no outage if other statements succeeded meanwhile', () => {
      const beganAtMs = performance.now();
      jest.advanceTimersByTime(100);
      outage.succeed();
      jest.advanceTimersByTime(4000);
      for (let n = 0; n < 50; n += 1) expect(outage.fail(timeout, beganAtMs)).toBe(false);
      expect(outage.isOn).toBe(false);
    });

    it('a slow statement does not prolong an outage that is over', () => {
      outage.fail(coded('ECONNREFUSED'));
      for (let n = 0; n < 8; n += 1) {
        const beganAtMs = performance.now();
        jest.advanceTimersByTime(1000);
        outage.succeed();
        outage.fail(timeout, beganAtMs);
      }
      expect(outage.isOn).toBe(false);
    });

    it('successful reads on SQLite do not reset the count', () => {
      outage.succeedToRead();
      for (let n = 0; n < 3; n += 1) outage.fail(coded('SQLITE_BUSY'));
      expect(outage.isOn).toBe(true);
    });
  });

  it('is the cause of the latest failure, until the outage is over', () => {
    jest.useFakeTimers();
    const outage = new DatabaseOutage(NO_LOG);
    outage.fail(coded('ECONNREFUSED'));
    outage.fail(coded('57014'));
    expect(outage.causeNow).toBe('slow');
    outage.succeed();
    jest.advanceTimersByTime(7_000);
    expect(outage.causeNow).toBeUndefined();
    outage.stop();
    jest.useRealTimers();
  });
});
