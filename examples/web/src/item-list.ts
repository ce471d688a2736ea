import { ExpiredCursorError, type Item, type ItemsClient } from '@items/client';

import { byId } from './by-id.js';
import { isShown, itemRow } from './item-row.js';

const BATCH_SIZE = 20;

/**
 * Starts an endless list: a walk through all items that loads more rows when its end is visible. A walk returns each row that
 * existed at its start exactly once. `add` shows a new item at the top.
 */
export function startItemList(items: ItemsClient['items']): { readonly add: (item: Item) => void } {
  const list = byId('items', HTMLOListElement);
  const more = byId('more', HTMLButtonElement);
  const alert = byId('list-alert', HTMLElement);
  const begin = () => items.walk({ sort: '-created_at', limit: BATCH_SIZE });
  let walk = begin();

  const load = async (): Promise<void> => {
    if (list.ariaBusy === 'true') return;
    list.ariaBusy = 'true';
    alert.textContent = '';
    try {
      for (let count = 0; count < BATCH_SIZE; count += 1) {
        const { done, value } = await walk.next();
        if (done === true) return showEnd();
        if (!isShown(value)) list.append(itemRow(value));
      }
      // Observe again, because the end may still be visible.
      watch.unobserve(more);
      watch.observe(more);
    } catch (error) {
      offerReload(error);
    } finally {
      list.ariaBusy = 'false';
    }
  };
  const showEnd = (): void => {
    watch.disconnect();
    more.hidden = true;
    byId('end', HTMLElement).hidden = false;
  };
  /** A failed walk cannot continue. The user starts a new one. */
  const offerReload = (error: unknown): void => {
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
    // The list already contains the item if it was created just before the walk began.
    if (!isShown(item)) list.prepend(itemRow(item));
  };
  return { add };
}
