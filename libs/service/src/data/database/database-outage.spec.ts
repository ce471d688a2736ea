import { NO_LOG } from '../outages/store-log.js';
import { DatabaseLostError, DatabaseOutage, outageCauseOf } from './database-outage.js';

const coded = (code: string): Error => Object.assign(new Error('of a driver'), { code });

describe('The cause of an outage is one word, whatever the driver', () => {
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

  it('is said in words of its own where the disk is full', () => {
    jest.useFakeTimers();
    const lines: string[] = [];
    const outage = new DatabaseOutage({ ...NO_LOG, error: (_, line) => void lines.push(line) });
    outage.fail(coded('SQLITE_FULL'));
    outage.succeed();
    jest.advanceTimersByTime(7_000);
    outage.stop();
    jest.useRealTimers();
    expect(lines).toEqual([
      'The database has no room left on its disk; what needs it is answered 503',
      'The database answers again',
    ]);
  });

  it('is that of the latest failure, until the outage is over', () => {
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
