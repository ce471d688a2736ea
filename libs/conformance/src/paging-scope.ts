/** How much of cursor paging was judged: rows of this run in walks during which nothing changed. */
export interface PagingScope {
  readonly style: 'cursor' | 'offset only' | 'not judged';
  readonly rows: number;
  /** Rows that the worst of the walks listed. */
  readonly listed: number;
  readonly walks: number;
}
