import { databaseAt } from './database-url.testing.js';

describe('The URL of a database', () => {
  it('selects a file of SQLite or a server of PostgreSQL', () => {
    expect(databaseAt('sqlite:./books.sqlite')).toEqual({ dialect: 'sqlite', file: './books.sqlite' });
    expect(databaseAt('postgres://me@db/books')).toEqual({ dialect: 'postgres', url: 'postgres://me@db/books' });
  });

  it.each(['', 'books.sqlite', 'sqlite:', 'sqlite::memory:', 'postgres://'])('is not %p', (url) => {
    expect(() => databaseAt(url)).toThrow('A database is sqlite:<file> or postgres://');
  });
});
