export interface OffsetPosition {
  readonly page: number;
  readonly perPage: number;
  /** Exact number of matching rows. */
  readonly total: number;
}

export interface OffsetWindow {
  /** Rows to skip at the end that `fromEnd` names. */
  readonly skip: number;
  /** 0 for a page past the end. */
  readonly take: number;
  /** Read from the last row in reverse order, then reverse the result. */
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
  // Checked before the multiplication, which far past the end would exceed the safe integers.
  if (total === 0 || page > lastPage({ perPage, total })) return { skip: 0, take: 0, fromEnd: false };
  const before = (page - 1) * perPage;
  const take = Math.min(perPage, total - before);
  const after = total - before - take;
  return after < before ? { skip: after, take, fromEnd: true } : { skip: before, take, fromEnd: false };
}
