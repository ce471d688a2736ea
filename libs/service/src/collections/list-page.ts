import type { CursorPage, JsonPieces, JsonText, OffsetPage } from '@items/conventions';
import type { PageLinks } from '@items/paging';
import type { RowValues } from '../store/database/database.js';

import type { CollectionDefinition, Identified } from './collection.js';
import { namedRow } from './row-values.js';

/** A page of a list, and where it leads. SPEC §4 */
export interface ListAnswer<Resource> {
  readonly body: OffsetPage<string, Resource> | CursorPage<string, Resource>;
  /** The same as it is sent: a long page in offset style piece by piece. */
  readonly json: JsonText | JsonPieces;
  readonly links: PageLinks;
}

/** What a page needs of its collection. */
export type Presentation<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'parent' | 'columns' | 'present' | 'writeValues' | 'rowsAtOnce' | 'keyBytes'
>;

/** A page whose members are made when they are asked for, as objects or as they are sent. */
export class ListPage<Resource extends Identified> implements ListAnswer<Resource> {
  constructor(
    private readonly definition: Presentation<Resource>,
    private readonly rows: readonly RowValues[],
    private readonly rest: object,
    private readonly write: () => JsonText | JsonPieces,
    readonly links: PageLinks,
  ) {}

  get body(): ListAnswer<Resource>['body'] {
    const { name, columns, present } = this.definition;
    const members = { [name]: this.rows.map((row) => present(namedRow(columns, row))) };
    return { ...members, ...this.rest } as unknown as ListAnswer<Resource>['body'];
  }

  get json(): JsonText | JsonPieces {
    return this.write();
  }
}
