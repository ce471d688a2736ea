/**
 * Appends to an array literal that holds no other one.
 * @param {string} text of a file.
 * @param {string} opening what stands before its first element: `const features = [`
 * @param {string} element
 */
export function addElement(text, opening, element) {
  const { start, end } = bounds(text, opening);
  const elements = text.slice(start, end).trimEnd().replace(/,$/, '');
  const separator = elements.trim() === '' ? '' : ', ';
  return `${text.slice(0, start)}${elements}${separator}${element}${text.slice(end)}`;
}

/** @param {string} text @param {string} opening @param {string} element */
export function removeElement(text, opening, element) {
  const { start, end } = bounds(text, opening);
  const elements = text.slice(start, end);
  const without = elements.replace(pattern(element), (_, before, after) => (before === '' || after === '' ? '' : ','));
  return `${text.slice(0, start)}${without}${text.slice(end)}`;
}

/** @param {string} text @param {string} opening @param {string} element */
export function hasElement(text, opening, element) {
  const { start, end } = bounds(text, opening);
  return pattern(element).test(text.slice(start, end));
}

/** An element with the commas beside it. @param {string} element */
function pattern(element) {
  return new RegExp(`(^\\s*|,\\s*)${element.replaceAll(/[^\w]/g, '\\$&')}(\\s*$|\\s*,)`);
}

/** @param {string} text @param {string} opening */
function bounds(text, opening) {
  const start = text.indexOf(opening) + opening.length;
  const end = text.indexOf(']', start);
  if (start < opening.length || end === -1)
    throw new Error(`There is no list that begins with \`${opening}\` any more.`);
  return { start, end };
}
