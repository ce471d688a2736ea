import type { Item, ItemsClient } from '@items/client';
import { ItemInputDto } from '@items/dtos';
import { validate } from '@items/fields';

import { onSubmit, textOf } from './form.js';

/** Nothing is sent before the class by which the service judges has accepted it. */
export function startItemForm(
  form: HTMLFormElement,
  items: ItemsClient['items'],
  onCreated: (item: Item) => void,
): void {
  onSubmit(form, async () => {
    say(form, '');
    const item = await items.create(validate(ItemInputDto, inputOf(form)));
    form.reset();
    form.querySelector('input')?.focus();
    say(form, `“${item.name}” has been created.`);
    onCreated(item);
  });
}

/** A field that was left empty is left out, but for the name: it is needed. */
function inputOf(form: HTMLFormElement): Readonly<Record<string, unknown>> {
  const [description, color, price] = ['description', 'color', 'price'].map((name) => textOf(form, name).trim());
  return {
    name: textOf(form, 'name'),
    ...(description && { description }),
    ...(color && { color }),
    ...(price && { price: Number(price.replace(',', '.')) }),
  };
}

function say(form: HTMLFormElement, message: string): void {
  const status = form.querySelector('[role=status]');
  if (status) status.textContent = message;
}
