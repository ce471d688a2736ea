import { type Findings } from '../discovery/findings.js';
import { type Service } from '../service/service.js';
import { rowsOf } from '../pages/rows.js';
import { type Walk, walkByCursor, walkByPage } from '../pages/walk.js';

/** The collection from its first item to its last, in a style that the service has. */
export async function wholeList(service: Service, found: Findings): Promise<Walk> {
  if (found.has('offset')) return walkByPage(service, {}, found.pageSize);
  if (found.has('cursor')) return walkByCursor(service, { limit: found.limitSize });
  const list = await service.get('/items');
  return { pages: [list], rows: rowsOf(list) };
}
