import type { Argument } from './field-types.ts';
import type { Field } from './fields.ts';

/** Maximum total length of the texts of a unique key, as in `@items/service`. */
const MAX_TEXT = 200;

/**
 * Splits keys such as `isbn` or `author_id+title` into their fields.
 * @throws {Error} if a key is unsuitable. If `@items/service` would refuse the key too, the message is the same.
 */
export function parseKeys(collection: string, fields: readonly Field[], keys: readonly string[]): string[][] {
  return keys.map((key, index) => {
    const named = key.split('+');
    const problem = keys.indexOf(key) === index ? problemOf(named, fields) : 'is declared twice';
    if (problem === undefined) return named;
    throw new Error(`The unique key "${named.join(', ')}" of the collection "${collection}" ${problem}.`);
  });
}

function problemOf(key: readonly string[], fields: readonly Field[]) {
  if (new Set(key).size < key.length) return 'names a field twice';
  let characters = 0;
  let isFree = false;
  for (const name of key) {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return `needs a field "${name}", and the collection has none`;
    const { type, argument } = field;
    if (type.length !== undefined) characters += argument.max ?? type.length;
    else if (type.canBeInKey !== true)
      return `cannot contain "${name}": lists and objects cannot be compared by an index`;
    isFree ||= type.canBeKeyAlone === true && hasManyValues(argument);
  }
  if (characters > MAX_TEXT)
    return `allows ${characters} characters: the texts of a key have together at most ${MAX_TEXT} characters`;
  return isFree ? undefined : 'needs a field with many values, because the generated test makes many members';
}

function hasManyValues({ max = 200, range: [least, most] = ['0', '1e15'] }: Argument) {
  return max >= 8 && Number(most) - Number(least) >= 1_000_000;
}
