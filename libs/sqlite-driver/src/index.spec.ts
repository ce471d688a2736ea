import { Sqlite, sqlitePackage } from './index.js';

describe(`${sqlitePackage} on Node ${process.versions.node}`, () => {
  const connection = new Sqlite(':memory:');
  afterAll(() => connection.close());

  it('prepares statements that outlive garbage collection between ticks', async () => {
    connection.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT UNIQUE)');
    for (let id = 1; id <= 1000; id++) {
      connection.prepare('INSERT INTO texts VALUES (?, ?)').run(id, `text ${String(id)}`);
      if (id % 100 === 0) await new Promise(setImmediate);
    }
    expect(connection.prepare('SELECT count(*) AS count FROM texts').all()).toEqual([{ count: 1000 }]);
  });

  it('gives errors the code that SQLite gives', () => {
    const again = connection.prepare('INSERT INTO texts VALUES (?, ?)');
    expect(() => again.run(1001, 'text 1')).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }));
  });
});
