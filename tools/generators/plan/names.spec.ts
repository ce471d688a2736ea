import { collectionNames } from './names.ts';

describe('The names of a collection', () => {
  it.each([
    ['widgets', 'widget'],
    ['categories', 'category'],
    ['boxes', 'box'],
    ['branches', 'branch'],
    ['addresses', 'address'],
    ['statuses', 'status'],
    ['people', 'person'],
    ['order-notes', 'order-note'],
    ['home-addresses', 'home-address'],
    ['keys', 'key'],
    ['courses', 'course'],
    ['prizes', 'prize'],
    ['prices', 'price'],
  ])('%s: one is a %s', (plural, singular) => {
    expect(collectionNames(plural).singular).toBe(singular);
  });

  it('follow from the plural', () => {
    expect(collectionNames('order-notes')).toEqual({
      plural: 'order-notes',
      singular: 'order-note',
      subject: 'order_note',
      table: 'order_notes',
      words: 'order note',
      pluralWords: 'order notes',
      type: 'OrderNote',
      variables: 'orderNotes',
    });
  });

  it('use the given singular', () => {
    expect(collectionNames('fungi', 'fungus')).toMatchObject({ singular: 'fungus', type: 'Fungus' });
  });

  it.each([
    ['Widgets', /kebab-case, .* not "Widgets"/],
    ['order_notes', /kebab-case/],
    ['-widgets', /kebab-case/],
    ['widgets-', /kebab-case/],
    ['2widgets', /kebab-case/],
    ['../widgets', /kebab-case/],
    ['wid gets', /kebab-case/],
    ['widget', /"widget" does not look like a plural/],
    ['chess', /does not look like a plural/],
    ['w'.repeat(50) + 's', /at most 50 characters/],
  ])('%s is refused with a sentence', (plural, sentence) => {
    expect(() => collectionNames(plural)).toThrow(sentence);
  });

  it('refuse a singular that is no name, or equals the plural', () => {
    expect(() => collectionNames('sheep', 'sheep')).toThrow('must have another name than all of them');
    expect(() => collectionNames('fungi', 'Fungus')).toThrow('The singular is written in kebab-case');
  });
});
