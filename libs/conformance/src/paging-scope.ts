/** The judged part of cursor paging: rows of this run in walks without changes. */
export interface PagingScope {
  readonly style: 'cursor' | 'offset only' | 'not judged';
  readonly rows: number;
  /** Rows that the worst walk listed. */
  readonly listed: number;
  readonly walks: number;
}
