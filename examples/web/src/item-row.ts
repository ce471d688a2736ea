import type { Item } from '@items/client';

export function isShown({ id }: Item): boolean {
  return document.getElementById(rowId(id)) !== null;
}

/** Creates the row of an item. Values of other users are set as text, never as HTML. */
export function itemRow({ id, name, description, color, price }: Item): HTMLLIElement {
  const row = document.createElement('li');
  row.id = rowId(id);
  const swatch = part('span', 'swatch', '');
  // CSS ignores an unknown colour: the swatch is an empty circle.
  swatch.style.backgroundColor = color ?? '';
  swatch.ariaHidden = 'true';
  const text = part('div', 'text', '');
  text.append(part('strong', '', name));
  if (color !== null) text.append(part('span', 'color', color));
  if (description !== null) text.append(part('p', '', description));
  row.append(swatch, text, part('span', 'price', price?.toFixed(2) ?? ''));
  return row;
}

function rowId(id: string): string {
  return `item-${id}`;
}

function part(tag: string, className: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}
