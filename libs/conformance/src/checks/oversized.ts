import { type CheckContext } from '../context.js';
import { rowsOf } from '../pages/rows.js';
import { Unmet } from '../verdict.js';

export function oversized(style: 'offset' | 'cursor'): (context: CheckContext) => Unmet | undefined {
  return ({ service }) => {
    const [page] = service.oversized[style];
    if (page === undefined) return undefined;
    const size = new URLSearchParams(page.ask.path.split('?')[1]).get(style === 'cursor' ? 'limit' : 'per_page');
    return new Unmet(page, `at most ${size ?? ''} items`, `${rowsOf(page).length} items`);
  };
}
