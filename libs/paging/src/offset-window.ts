/** A page number, its size, and the total. */
export interface OffsetPosition {
  /** 1 – 2^53 − 1. */
  readonly page: number;
  /** Rows of a page, at least 1. */
  readonly perPage: number;
  /** Exact number of matching rows. */
  readonly total: number;
}

/** The rows to read for a page. */
export interface OffsetWindow {
  /** Rows to skip, from the end that `fromEnd` names. */
  readonly skip: number;
  /** Rows to read; 0 for a page past the end. */
  readonly take: number;
  /** Read from the last row in reverse order, then reverse the result. */
  readonly fromEnd: boolean;
}

/** Number of the last page; an empty list has one page. SPEC §4 */
export function lastPage({ perPage, total }: Omit<OffsetPosition, 'page'>): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/**
 * Chooses the rows to read, from the nearer end: a database walks over every row it skips. Take
 * `total` from the snapshot of the rows, or a page read from the end is shifted.
 * @returns safe integers, also for the page 2^53 − 1.
 * @see SPEC §4.1
 */
export function offsetWindow({ page, perPage, total }: OffsetPosition): OffsetWindow {
  // Check before the multiplication, whose result is no safe integer for a page far past the end.
  if (total === 0 || page > lastPage({ perPage, total })) return { skip: 0, take: 0, fromEnd: false };
  const before = (page - 1) * perPage;
  const take = Math.min(perPage, total - before);
  const after = total - before - take;
  return after < before ? { skip: after, take, fromEnd: true } : { skip: before, take, fromEnd: false };
}
