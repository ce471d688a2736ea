import { page as pageOf, type Page } from '../../../http/pages/page.js';

export function page(content: Omit<Page, 'service'>): string {
  return pageOf({ ...content, service: 'Items' });
}
