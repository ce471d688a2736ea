import { databaseUnavailable } from '../database/database-unavailable.js';
import { BackgroundWork } from './background-work.js';

class Failing extends BackgroundWork {
  constructor(
    private readonly error: Error,
    said: string[],
  ) {
    super({ warn: (message) => void said.push(message) }, 1000, 'It is done later');
  }

  protected override work(): Promise<void> {
    return Promise.reject(this.error);
  }
}

describe('A failed round of a background task', () => {
  it.each([
    ['is logged', new Error('no room'), ['It is done later: Error: no room']],
    ['is not logged in an outage of the database, which has its own log lines', databaseUnavailable(), []],
  ])('%s', async (_, error, expected) => {
    const said: string[] = [];
    await new Failing(error, said).runNow();
    expect(said).toEqual(expected);
  });
});
