import { FIELD_TYPES, type Argument } from './field-types.ts';

const EXAMPLES = {
  length: 'string(50)',
  range: 'integer(0..99)',
  words: 'choice(draft/published)',
  collection: 'reference(authors)',
};
const LONGEST_TEXT = 10_000;
const WORD = /^[\w.-]+(?: [\w.-]+)*$/;
const RANGES = { integer: /^(-?\d+)\.\.(-?\d+)$/, number: /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/ };

/** @throws {Error} The message names the field. */
export function parseArgument(name: string, typeName: string, text: string | undefined): Argument {
  const { argumentKind, requiresArgument = false } = FIELD_TYPES[typeName] ?? {};
  if (text === undefined && !requiresArgument) return {};
  const example = argumentKind === undefined ? typeName : EXAMPLES[argumentKind];
  const wrong = new Error(`The type of "${name}" is written like ${example}, not "${typeName}${shown(text)}".`);
  if (text === undefined || argumentKind === undefined) throw wrong;
  const argument = { length: lengthIn, range: rangeIn, words: wordsIn, collection: collectionIn }[argumentKind](
    text,
    typeName,
  );
  if (argument === undefined) throw wrong;
  return argument;
}

function shown(text: string | undefined) {
  return text === undefined ? '' : `(${text})`;
}

function lengthIn(text: string) {
  const max = Number(text);
  return /^[1-9]\d*$/.test(text) && max <= LONGEST_TEXT ? { max } : undefined;
}

function rangeIn(text: string, typeName: string): Argument | undefined {
  const [, min = '', max = ''] = RANGES[typeName === 'integer' ? 'integer' : 'number'].exec(text) ?? [];
  const [least, most] = [Number(min), Number(max)];
  if (max === '' || least > most || Math.max(-least, most) > Number.MAX_SAFE_INTEGER) return undefined;
  return { range: [String(least), String(most)] };
}

function wordsIn(text: string) {
  const words = text.split('/');
  return words.every((word, index) => WORD.test(word) && words.indexOf(word) === index) ? { words } : undefined;
}

function collectionIn(text: string) {
  return /^[a-z][a-z0-9-]*$/.test(text) ? { collection: text } : undefined;
}
