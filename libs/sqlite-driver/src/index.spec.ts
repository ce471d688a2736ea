import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Sqlite, sqlitePackage } from './index.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe(`${sqlitePackage} on Node ${process.versions.node}`, () => {
  const connection = new Sqlite(':memory:');
  afterAll(() => connection.close());

  function insert(id: number): WeakRef<object> {
    const statement = connection.prepare('INSERT INTO texts VALUES (?, ?)');
    statement.run(id, `text ${String(id)}`);
    return new WeakRef(statement);
  }

  it('goes on where statements are garbage collected between ticks, and so does a statement that is kept', async () => {
    connection.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT UNIQUE)');
    const kept = connection.prepare('SELECT count(*) AS count FROM texts');
    for (let round = 0; round < 10; round++) {
      const dropped = Array.from({ length: 10 }, (_, n) => insert(10 * round + n));
      await new Promise(setImmediate);
      collectGarbage();
      await new Promise(setImmediate);
      expect(dropped.filter((statement) => statement.deref() !== undefined)).toEqual([]);
      expect(kept.all()).toEqual([{ count: 10 * round + 10 }]);
    }
  });

  it('gives errors the code that SQLite gives', () => {
    const again = connection.prepare('INSERT INTO texts VALUES (?, ?)');
    expect(() => again.run(1001, 'text 1')).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }));
  });
});
