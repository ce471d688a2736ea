import { type CheckContext } from '../check.js';
import { fieldOf } from '../service/exchange.js';
import { ifApplicable } from '../verdict.js';
import { type Value } from './findings.js';

export async function discoverFields(context: CheckContext): Promise<void> {
  const { found } = context;
  if (!found.has('items.write')) return found.lacks(['color', 'price'], '4.create.status: no item could be created');
  await discoverFilter(context);
  await discoverSort(context);
}

async function discoverFilter(context: CheckContext): Promise<void> {
  const { found, service } = context;
  const { filter, isItems } = service.translation.naming;
  if (filter !== undefined) return discoverNamedFilter(context, filter);
  if (!isItems) return found.lacks('color', 'no filter was named (--filter)');
  const own = context.label('c');
  if (await keeps(context, 'color', own)) {
    found.colors = [own, `${own}b`];
    found.colorsAreOwn = true;
  } else if ((await keeps(context, 'color', 'red')) && (await keeps(context, 'color', 'blue'))) {
    found.colors = ['red', 'blue'];
  } else found.lacks('color', 'an item has no field `color` that can be set');
}

async function discoverNamedFilter(
  context: CheckContext,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  const { found, service } = context;
  const { create } = service.translation.naming;
  const field = service.translation.fields.ours(name);
  found.filterField = field;
  const one = await firstKept(context, field, typed(value));
  if (one === undefined) return found.lacks('color', `no row could be made with the value ${value} of \`${name}\``);
  const example = create[name];
  const others = [...(isValue(example) ? [example] : []), ...unlike(one)].filter((other) => other !== one);
  const other = await firstKept(context, field, others);
  if (other === undefined)
    return found.lacks('color', `no row could be made with another value of \`${name}\` than ${value}`);
  found.colors = [one, other];
}

async function discoverSort(context: CheckContext): Promise<void> {
  const { found, service } = context;
  const { sort, isItems } = service.translation.naming;
  if (sort === undefined && !isItems) return found.lacks('price', 'no field to sort by was named (--sort)');
  const field = sort === undefined ? 'price' : service.translation.fields.ours(sort);
  found.sortField = field;
  if (await keeps(context, field, 12)) return;
  const word = context.label('s');
  const text = (number: number): string => `${word}${String(number).padStart(4, '0')}`;
  if (sort !== undefined && (await keeps(context, field, text(12)))) found.sortValue = text;
  else found.lacks('price', `an item has no field \`${sort ?? 'price'}\` that can be set`);
}

/** Returns the possible values of a word of the command line: `5` is a number or a text. */
function typed(value: string): Value[] {
  if (value === 'true' || value === 'false') return [value === 'true', value];
  return value.trim() !== '' && Number.isFinite(Number(value)) ? [Number(value), value] : [value];
}

function unlike(value: Value): Value[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  return ['blue', 'red', `${value}b`];
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

async function firstKept(context: CheckContext, field: string, values: readonly Value[]): Promise<Value | undefined> {
  for (const value of values) if (await keeps(context, field, value)) return value;
  return undefined;
}

async function keeps(context: CheckContext, field: string, value: Value): Promise<boolean> {
  const shown = await ifApplicable(shownValue(context, field, value));
  return typeof value === 'number' ? shown !== null && Number(shown) === value : shown === value;
}

/** @throws {NotApplicable} The service refuses an item with this value. */
async function shownValue({ items, service }: CheckContext, field: string, value: Value): Promise<unknown> {
  const item = await items.create({ [field]: value });
  return fieldOf(await service.get(item.path), field) ?? fieldOf(item.created, field);
}
