export interface OffsetPosition {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
}

export interface OffsetWindow {
  /** Number of rows to skip: from the last row if `fromEnd` is true, else from the first. */
  readonly skip: number;
  /** Number of rows to read; 0 past the end. */
  readonly take: number;
  /** If true, read from the last row in reverse order, then reverse the result. */
  readonly fromEnd: boolean;
}

/** An empty list has one page. SPEC §4 */
export function lastPage({ perPage, total }: Omit<OffsetPosition, 'page'>): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/**
 * Chooses the nearer end, because a database scans every row that it skips. `total` must be from the same snapshot as
 * the rows. Otherwise a page read from the end is shifted.
 * @returns Safe integers, also for the page 2^53 − 1.
 * @see SPEC §4.1
 */
export function offsetWindow({ page, perPage, total }: OffsetPosition): OffsetWindow {
  // Before the multiplication, whose result far past the end would not be a safe integer.
  if (total === 0 || page > lastPage({ perPage, total })) return { skip: 0, take: 0, fromEnd: false };
  const before = (page - 1) * perPage;
  const take = Math.min(perPage, total - before);
  const after = total - before - take;
  return after < before ? { skip: after, take, fromEnd: true } : { skip: before, take, fromEnd: false };
}
