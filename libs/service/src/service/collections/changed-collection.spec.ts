import { changedCollection } from './changed-collection.js';

const NAMES = ['books', 'stand', 'stand_by_lists', 'order'];

describe('changedCollection()', () => {
  it.each([
    ['ALTER TABLE books ADD COLUMN stars bigint', 'books'],
    ['alter table\n  books_versions\n  add column stars bigint', 'books'],
    ['/* stars */ ALTER TABLE IF EXISTS ONLY "books" ADD COLUMN stars bigint -- for stand', 'books'],
    ['ALTER TABLE public.books ADD COLUMN stars bigint', 'books'],
    ['UPDATE "order" SET a = 1', 'order'],
    ['update or ignore stand set a = 1', 'stand'],
    ["INSERT INTO stand (a) VALUES ('books')", 'stand'],
    ['REPLACE INTO stand (a) VALUES (1)', 'stand'],
    ['delete from only books', 'books'],
    ['TRUNCATE TABLE books', 'books'],
    ['DROP TABLE IF EXISTS books_versions', 'books'],
    ['create unique index concurrently if not exists own on books (title)', 'books'],
    ['DROP INDEX IF EXISTS stand_by_lists_by_title', 'stand_by_lists'],
    ['drop index stand_versions_by_title', 'stand'],
    ['DROP INDEX "books-unique-title"', 'books'],
    ['CREATE UNIQUE INDEX "order-unique-title" ON "order" ("title")', 'order'],
    ['CREATE OR REPLACE TRIGGER t BEFORE UPDATE ON books FOR EACH ROW EXECUTE FUNCTION f()', 'books'],
    ['DROP TRIGGER IF EXISTS books_stamped', 'books'],
    ["DELETE FROM collection_counts WHERE collection = 'books'", 'books'],
    ["INSERT INTO collection_counts (collection, grp, lane, n) SELECT 'stand', '[]', 0, 1 FROM stand", 'stand'],
  ])('%j changes a collection', (statement, name) => {
    expect(changedCollection(statement, NAMES)).toBe(name);
  });

  it.each([
    'CREATE TABLE own (books text, id text REFERENCES books (id))',
    'CREATE INDEX books_of_own ON own (books)',
    'INSERT INTO own SELECT title FROM books',
    "UPDATE own SET name = 'books'",
    'ALTER TABLE book ADD COLUMN a text',
    'SELECT 1',
    '',
  ])('%j changes none', (statement) => {
    expect(changedCollection(statement, NAMES)).toBeUndefined();
  });
});
