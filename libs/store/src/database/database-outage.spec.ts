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
