import { ExpiredCursorError, type Item, type ItemsClient } from '@items/client';

import { byId } from './by-id.js';
import { isShown, itemRow } from './item-row.js';

const ROWS_AT_ONCE = 20;

/**
 * An endless list: a walk through all items, which goes on when its end comes into view. A walk gives each row that was
 * there when it began once, and no others: what is created meanwhile is put on top.
 */
export function startItemList(items: ItemsClient['items']): { readonly add: (item: Item) => void } {
  const list = byId('items', HTMLOListElement);
  const more = byId('more', HTMLButtonElement);
  const alert = byId('list-alert', HTMLElement);
  const begin = () => items.walk({ sort: '-created_at', limit: ROWS_AT_ONCE });
  let walk = begin();

  const load = async (): Promise<void> => {
    if (list.ariaBusy === 'true') return;
    list.ariaBusy = 'true';
    alert.textContent = '';
    try {
      for (let count = 0; count < ROWS_AT_ONCE; count += 1) {
        const { done, value } = await walk.next();
        if (done === true) return showEnd();
        if (!isShown(value)) list.append(itemRow(value));
      }
      // Looks again: the end may still be in view.
      watch.unobserve(more);
      watch.observe(more);
    } catch (error) {
      startAgain(error);
    } finally {
      list.ariaBusy = 'false';
    }
  };
  const showEnd = (): void => {
    watch.disconnect();
    more.hidden = true;
    byId('end', HTMLElement).hidden = false;
  };
  /** A walk that has failed is over; only the person at the page can say when to begin anew. */
  const startAgain = (error: unknown): void => {
    watch.disconnect();
    const message = error instanceof Error ? error.message : String(error);
    alert.textContent = error instanceof ExpiredCursorError ? 'The list was open too long.' : message;
    more.textContent = 'Load the list again';
    more.onclick = () => {
      list.replaceChildren();
      walk = begin();
      more.textContent = 'More items';
      more.onclick = () => void load();
      void load();
    };
  };

  const watch = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void load();
  });
  more.onclick = () => void load();
  watch.observe(more);
  const add = (item: Item): void => {
    // It is there already where it was created just before the walk began.
    if (!isShown(item)) list.prepend(itemRow(item));
  };
  return { add };
}
