import { type CursorPage, MAX_CURSOR_LENGTH, MAX_PAGE_BYTES, type OffsetPage } from '@items/conventions';
import type { PageLinks } from '@items/paging';
import type { RowValues } from '../database/database.js';
import type { CollectionDefinition, Identified } from '../definition/collection.js';
import { JsonPieces } from './json-pieces.js';
import { namedRow } from '../definition/row-values.js';

/** A page of a list, and where it leads; its body is made when it is needed, as an object or as JSON. SPEC §4 */
export interface ListAnswer<Resource> {
  readonly body: OffsetPage<string, Resource> | CursorPage<string, Resource>;
  /** The same as it is sent: a long page in offset style piece by piece. */
  readonly json: string | JsonPieces;
  readonly links: PageLinks;
}

/** What a page needs of its collection. */
export type Presentation<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'parent' | 'columns' | 'present' | 'valuesToJson' | 'rowsAtOnce' | 'keyBytes'
>;

/**
 * A page whose members are made when they are needed, as objects or as JSON. A class, for V8 gives each object literal with
 * accessors a shape of its own: that made a page a third slower.
 */
export class ListPage<Resource extends Identified> implements ListAnswer<Resource> {
  /** @param rest what stands beside the members. @param text the page as JSON, where that is known. */
  constructor(
    private readonly definition: Presentation<Resource>,
    private readonly rows: readonly RowValues[],
    private readonly rest: object,
    readonly links: PageLinks,
    private readonly text?: string,
  ) {}

  get body(): ListAnswer<Resource>['body'] {
    const { name, columns, present } = this.definition;
    const members = { [name]: this.rows.map((row) => present(namedRow(columns, row))) };
    return { ...members, ...this.rest } as unknown as ListAnswer<Resource>['body'];
  }

  get json(): string | JsonPieces {
    const { name, valuesToJson } = this.definition;
    return this.text ?? pageJson(name, this.rows, valuesToJson, this.rest);
  }
}

/** More than a page in cursor style has beside its members, their name and its cursor: numbers, and a position. */
const ENVELOPE_BYTES = 256;
/** Of a page that is written piece by piece: a piece of one-byte characters costs about a millisecond. */
const PIECE_CHARACTERS = 131_072;

/**
 * The members of a page in cursor style as JSON: as many as there is room for. SPEC §4.1
 * @typeParam Row what a member is written from.
 */
export class PageText<Row> {
  readonly rows: Row[] = [];
  /** Whether a member was left out for want of room. */
  isFull = false;
  private text = '';
  private readonly room: number;
  private bytes = 0;

  /** @param name of the list member. */
  constructor(
    private readonly name: string,
    private readonly write: (row: Row) => string,
  ) {
    this.room = MAX_PAGE_BYTES - MAX_CURSOR_LENGTH - ENVELOPE_BYTES - Buffer.byteLength(JSON.stringify(name));
  }

  /** Takes rows until one does not fit; the first one of the page always does. */
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

  /** @param rest of the page: what stands beside its members. */
  json(rest: object): string {
    return `{${JSON.stringify(this.name)}:[${this.text}],${JSON.stringify(rest).slice(1)}`;
  }
}

type WriteRow = (row: RowValues) => string;

/** A page in offset style as JSON, which has all of its members: a long one is written piece by piece. */
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
