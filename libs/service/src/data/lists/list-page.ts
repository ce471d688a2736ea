import { type CursorPage, MAX_CURSOR_LENGTH, MAX_PAGE_BYTES, type OffsetPage } from '@items/conventions';
import type { PageLinks } from '@items/paging';
import type { RowValues } from '../database/database.js';
import type { CollectionDefinition, HasId } from '../definition/collection.js';
import { JsonPieces } from './json-pieces.js';
import { namedRow } from '../database/versioned-row.js';

/** The body is built on demand. SPEC §4 */
export interface ListResponse<Resource> {
  readonly body: OffsetPage<string, Resource> | CursorPage<string, Resource>;
  /** A long page in offset style comes in pieces. */
  readonly json: string | JsonPieces;
  readonly links: PageLinks;
}

export type Presentation<Resource extends HasId> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'parent' | 'columns' | 'present' | 'valuesToJson' | 'rowsPerRead' | 'keyBytes'
>;

/**
 * A class, because V8 gives each object literal with accessors its own shape. Such literals made a page a third slower.
 */
export class ListPage<Resource extends HasId> implements ListResponse<Resource> {
  constructor(
    private readonly definition: Presentation<Resource>,
    private readonly rows: readonly RowValues[],
    private readonly rest: object,
    readonly links: PageLinks,
    private readonly text?: string,
  ) {}

  get body(): ListResponse<Resource>['body'] {
    const { name, columns, present } = this.definition;
    const members = { [name]: this.rows.map((row) => present(namedRow(columns, row))) };
    return { ...members, ...this.rest } as unknown as ListResponse<Resource>['body'];
  }

  get json(): string | JsonPieces {
    const { name, valuesToJson } = this.definition;
    return this.text ?? pageJson(name, this.rows, valuesToJson, this.rest);
  }
}

/** Maximum size of the JSON besides name, members and cursor. */
const ENVELOPE_BYTES = 256;
/** Length of a piece of a long page. Building a piece takes about a millisecond. */
const PIECE_CHARACTERS = 131_072;

/** JSON of the members of a cursor page, up to its maximum size. SPEC §4.1 */
export class PageText<Row> {
  readonly rows: Row[] = [];
  isFull = false;
  private text = '';
  private readonly room: number;
  private bytes = 0;

  constructor(
    private readonly name: string,
    private readonly write: (row: Row) => string,
  ) {
    this.room = MAX_PAGE_BYTES - MAX_CURSOR_LENGTH - ENVELOPE_BYTES - Buffer.byteLength(JSON.stringify(name));
  }

  /** Adds rows until the page is full. The first row of a page is always added. */
  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const member = this.rows.length === 0 ? this.write(row) : `,${this.write(row)}`;
      this.bytes += Buffer.byteLength(member);
      if (this.bytes > this.room && this.rows.length > 0) {
        this.isFull = true;
        return;
      }
      this.text += member;
      this.rows.push(row);
    }
  }

  json(rest: object): string {
    return `{${JSON.stringify(this.name)}:[${this.text}],${JSON.stringify(rest).slice(1)}`;
  }
}

type WriteRow = (row: RowValues) => string;

function pageJson(name: string, rows: readonly RowValues[], write: WriteRow, rest: object): string | JsonPieces {
  const pieces = piecesOf(name, rows, write, rest);
  const { value: first } = pieces.next() as IteratorYieldResult<string>;
  const second = pieces.next();
  return second.done === true ? first : new JsonPieces(joined([first, second.value], pieces));
}

function* piecesOf(
  name: string,
  rows: readonly RowValues[],
  write: WriteRow,
  rest: object,
): Generator<string, undefined> {
  let text = `{${JSON.stringify(name)}:[`;
  let separator = '';
  for (const row of rows) {
    if (text.length >= PIECE_CHARACTERS) {
      yield text;
      text = '';
    }
    text += separator + write(row);
    separator = ',';
  }
  yield `${text}],${JSON.stringify(rest).slice(1)}`;
}

function* joined(begin: readonly string[], rest: Iterable<string>): Generator<string> {
  yield* begin;
  yield* rest;
}
