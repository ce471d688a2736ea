/** Which page of how many rows. */
export interface OffsetPosition {
  /** 1 – 2^53 − 1. */
  readonly page: number;
  /** Rows a page, at least 1. */
  readonly perPage: number;
  /** Exact number of rows that match. */
  readonly total: number;
}

/** Which rows to read for a page. */
export interface OffsetWindow {
  /** Rows to pass over, from the end that `fromEnd` names. */
  readonly skip: number;
  /** Rows to read; 0 for a page past the end. */
  readonly take: number;
  /** Read in the opposite order, from the last row, and reverse what was read. */
  readonly fromEnd: boolean;
}

/** Number of the last page; an empty list has one page. SPEC §4 */
export function lastPage({ perPage, total }: Omit<OffsetPosition, 'page'>): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/**
 * Which rows to read for a page, from the nearer end: a database walks over every row it skips. `total` must be of the
 * same snapshot as the rows, or a page read from the end is shifted.
 * @returns safe integers, also for the page 2^53 − 1.
 * @see SPEC §4.1
 */
export function offsetWindow({ page, perPage, total }: OffsetPosition): OffsetWindow {
  // Before the multiplication, which would leave the safe integers for a page far past the end.
  if (total === 0 || page > lastPage({ perPage, total })) return { skip: 0, take: 0, fromEnd: false };
  const before = (page - 1) * perPage;
  const take = Math.min(perPage, total - before);
  const after = total - before - take;
  return after < before ? { skip: after, take, fromEnd: true } : { skip: before, take, fromEnd: false };
}
