import { ValidationError } from '@items/conventions';
import { validateSync } from 'class-validator';

import { DefaultsTo, Optional } from './presence.js';
import { replacementOf } from './replacement-of.js';
import { Text } from './text.js';
import { validate } from './validate.js';

class BookDto {
  @Text({ min: 1, max: 20, trim: true })
  title!: string;

  @Text({ min: 2, max: 20 })
  author!: string;

  @Text({ min: 1, max: 20, mayBeInvisible: true })
  password!: string;

  @Text({ max: 20 })
  note!: string;

  @Optional()
  @Text({ min: 1, max: 20 })
  color!: string | null;

  @DefaultsTo('x')
  @Text({ min: 1, max: 20 })
  shelf!: string;
}

const BOOK = { title: 'Emma', author: 'Austen', password: 'p', note: '', color: null, shelf: 'a' };
/** Zero-width space and joiners, word joiner, soft hyphen, Hangul filler, variation selectors, a tag, blanks. */
const INVISIBLE = [
  '\u200b\u200b',
  '\u200d\u2060',
  '\u00ad\u00ad',
  '\u3164\u3164',
  '\ufe0f\u{e0101}',
  '\u{e0041} ',
  '\u3000\u200b',
  '\ufeff\u00a0',
];

function detailsOf(book: object, dto: new () => object = BookDto): unknown[] {
  try {
    validate(dto, book);
  } catch (error) {
    if (error instanceof ValidationError) return error.details.map(({ field, code, params }) => [field, code, params]);
    throw error;
  }
  return [];
}

describe('SPEC §2.4: a required text has a visible character', () => {
  it.each(INVISIBLE)('%j alone is too short', (text) => {
    expect(detailsOf({ ...BOOK, title: text })).toEqual([['title', 'too_short', { min: 1 }]]);
    expect(detailsOf({ ...BOOK, author: text })).toEqual([['author', 'too_short', { min: 2 }]]);
    expect(detailsOf({ ...BOOK, author: `${text}a` })).toEqual([]);
  });

  it.each(INVISIBLE)(
    '%j alone may be an optional text, one with a default, a possibly empty one, or an old password',
    (text) => {
      expect(detailsOf({ ...BOOK, password: text, note: text, color: text, shelf: text })).toEqual([]);
    },
  );

  it('is judged the same if a replacement may omit the field', () => {
    const Replacement = replacementOf(BookDto, 'author');
    expect(detailsOf({ ...BOOK, author: undefined }, Replacement)).toEqual([]);
    expect(detailsOf({ ...BOOK, author: '\u200b\u200b' }, Replacement)).toEqual([['author', 'too_short', { min: 2 }]]);
  });

  it('is judged the same by class-validator alone', () => {
    const judged = (book: object): string[] =>
      validateSync(Object.assign(new BookDto(), book)).map(({ property }) => property);
    expect(judged({ ...BOOK, title: '\u200b', author: '\u200b\u200b', color: '\u200b', shelf: '\u200b' })).toEqual([
      'title',
      'author',
    ]);
  });

  it.each(['a', '.', '0', '😀', '👩‍👩‍👧', 'ا\u200c', 'é', '\u0301a', '한'])('%j has one', (text) => {
    expect(detailsOf({ ...BOOK, title: text })).toEqual([]);
  });
});
