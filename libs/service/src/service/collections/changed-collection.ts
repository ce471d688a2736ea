const TOKEN = /--[^\n]*|\/\*[^]*?\*\/|"(?:[^"]|"")*"|'(?:[^']|'')*'|[\w$]+|\./g;
/** Ignored words, as in `drop table if exists books`. */
const FILLER = new Set(
  'if not exists only concurrently unique or replace ignore abort fail rollback constraint table'.split(' '),
);
/** The name of a table follows these verbs. */
const TABLE_VERBS = new Set(['alter', 'drop', 'truncate', 'update', 'into', 'insert into', 'delete from']);
const COUNTERS = ['collection_counts', 'collection_lanes'];

/**
 * Returns the collection whose tables a statement changes: `alter table "books" …`, also through its indexes, triggers
 * and counters.
 */
export function changedCollection(statement: string, names: readonly string[]): string | undefined {
  const tokens = (statement.match(TOKEN) ?? []).filter((token) => !/^(?:--|\/\*)/.test(token));
  const words = tokens.map((token) => (/^["']/.test(token) ? token : token.toLowerCase()));
  const [verb = '', ...rest] = words.filter((word) => !FILLER.has(word));
  const [next = ''] = rest;
  if (next === 'index' || next === 'trigger') {
    const on = rest.indexOf('on');
    return on > 0 ? ofTable(nameAt(rest, on + 1), names) : ofIndex(nameAt(rest, 1), names);
  }
  const isTwoWords = TABLE_VERBS.has(`${verb} ${next}`);
  if (!isTwoWords && !TABLE_VERBS.has(verb)) return undefined;
  const table = nameAt(rest, isTwoWords ? 1 : 0);
  if (!COUNTERS.includes(table)) return ofTable(table, names);
  const text = tokens.find((token) => token.startsWith("'")) ?? '';
  return ofTable(text.slice(1, -1), names);
}

function nameAt(words: readonly string[], at: number): string {
  const name = words[at + 1] === '.' ? words[at + 2] : words[at];
  return (name ?? '').replaceAll('"', '');
}

function ofTable(table: string, names: readonly string[]): string | undefined {
  return names.find((name) => table === name || table === `${name}_versions`);
}

/** Names of indexes and triggers begin with the name of their table: `books_by_title`, `books-unique-isbn`. */
function ofIndex(index: string, names: readonly string[]): string | undefined {
  const tables = names.filter((name) => index.startsWith(name) && /^[_-]/.test(index.slice(name.length)));
  return tables.sort((one, other) => other.length - one.length)[0];
}
