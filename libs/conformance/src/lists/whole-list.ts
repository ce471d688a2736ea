import type { CheckContext } from '../check.js';
import type { Findings } from '../discovery/findings.js';
import type { Service } from '../service/service.js';
import { rowsOf, type Walk, walkByCursor, walkByPage } from '../pages/walk.js';
import { NotApplicable } from '../verdict.js';

export async function wholeList(service: Service, found: Findings): Promise<Walk> {
  if (found.has('offset')) return walkByPage(service, {}, found.pageSizes.offset);
  if (found.has('cursor')) return walkByCursor(service, { limit: found.pageSizes.cursor });
  const list = await service.get('/items');
  // A bare array counts as incomplete, because it may be the first of several pages.
  return { pages: [list], rows: rowsOf(list), isComplete: found.has('envelope') };
}

/**
 * @param pages Approximate number of pages that the collection is split into.
 * @throws {NotApplicable} The collection is too large.
 */
export async function smallPageSize({ service, found, once }: CheckContext, pages = 40): Promise<number> {
  const { rows, isComplete } = await once('whole list', () => wholeList(service, found));
  if (!isComplete) throw new NotApplicable('the list is too long for a walk');
  return Math.max(2, Math.ceil(rows.length / pages));
}
