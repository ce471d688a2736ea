import { page as pageOf, type Page } from '../../../http/pages/page.js';

export function page(said: Omit<Page, 'service'>): string {
  return pageOf({ ...said, service: 'Items' });
}
