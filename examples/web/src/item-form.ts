import type { Item, ItemsClient } from '@items/client';
import { ItemInputDto } from '@items/dtos';
import { validate } from '@items/fields';

import { fieldText, onSubmit } from './form.js';

/** Validates with the DTO of the service before it sends the item. */
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

/** Omits empty fields, except the required name. */
function inputOf(form: HTMLFormElement): Readonly<Record<string, unknown>> {
  const [description, color, price] = ['description', 'color', 'price'].map((name) => fieldText(form, name).trim());
  return {
    name: fieldText(form, 'name'),
    ...(description && { description }),
    ...(color && { color }),
    ...(price && { price: Number(price.replace(',', '.')) }),
  };
}

function say(form: HTMLFormElement, message: string): void {
  const status = form.querySelector('[role=status]');
  if (status) status.textContent = message;
}
