import { page as pageOf, type Page } from '../../../http/pages/page.js';

/** Renders a page with the name of this service. */
export function page(said: Omit<Page, 'service'>): string {
  return pageOf({ ...said, service: 'Items' });
}
