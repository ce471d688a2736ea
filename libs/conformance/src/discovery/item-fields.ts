import { type CheckContext } from '../context.js';
import { fieldsOf } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';

/** Which of the fields that the specification's query parameters speak of can be set: `color` and `price`. */
export async function discoverFields(context: CheckContext): Promise<void> {
  const { found } = context;
  if (!found.has('items.write')) {
    for (const need of ['color', 'price'] as const) found.lacks(need, 'no item could be created');
    return;
  }
  const own = context.word('c').replaceAll('-', '').slice(0, 24);
  if (await keeps(context, 'color', own)) {
    found.colors = [own, `${own}b`];
    found.colorsAreOwn = true;
  } else if ((await keeps(context, 'color', 'red')) && (await keeps(context, 'color', 'blue'))) {
    found.colors = ['red', 'blue'];
  } else found.lacks('color', 'an item has no field `color` that can be set');
  if (!(await keeps(context, 'price', 12))) found.lacks('price', 'an item has no field `price` that can be set');
}

async function keeps({ items, service }: CheckContext, field: string, value: unknown): Promise<boolean> {
  try {
    const item = await items.create({ [field]: value });
    const shown = fieldsOf((await service.get(item.path)).json)[field] ?? fieldsOf(item.created.json)[field];
    return typeof value === 'number' ? shown !== null && Number(shown) === value : shown === value;
  } catch (error) {
    if (error instanceof NotApplicable) return false;
    throw error;
  }
}
