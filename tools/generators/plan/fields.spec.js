import { FIELD_TYPES } from './field-types.js';
import { parseFields } from './fields.js';
import { optionsIn, planCollection } from './plan.js';

/** @param {string} notation */
const one = (notation) => parseFields([notation])[0];

describe('The fields of a collection', () => {
  it.each(Object.keys(FIELD_TYPES))('%s, required and optional', (type) => {
    expect(one(`field:${type}`)).toMatchObject({ name: 'field', typeName: type, optional: false });
    expect(one(`field:${type}?`)).toMatchObject({ name: 'field', typeName: type, optional: true });
  });

  it('are sorted by where that makes sense, and filtered by where they are flags, or by wish', () => {
    expect(one('a:string')).toMatchObject({ sortable: true, filtered: false });
    expect(one('a:string?:filter')).toMatchObject({ sortable: true, filtered: true });
    expect(one('a:string:unsorted:filter')).toMatchObject({ sortable: false, filtered: true });
    expect(one('a:text')).toMatchObject({ sortable: false, filtered: false });
    expect(one('a:number')).toMatchObject({ sortable: true, filtered: false });
    expect(one('a:boolean')).toMatchObject({ sortable: false, filtered: true });
  });

  it.each([
    ['name', /written name:type, .* not "name"/],
    ['name:', /written name:type/],
    [':string', /written name:type/],
    ['name:string??', /written name:type/],
    ['name:String', /written name:type/],
    ['unitPrice:money', /snake_case, .* not "unitPrice"/],
    ['_a:string', /snake_case/],
    ["a'b:string", /snake_case/],
    ['name:float', /one of these types: string, .*; not "float"/],
    ['name:constructor', /one of these types/],
    ['id:string', /Every row has "id" already/],
    ['created_at:date-time', /Every row has "created_at" already/],
    ['user_id:string', /Every row has "user_id" already, or may/],
    ['order:integer', /"order" is a word of SQL/],
    ['name:string:sorted', /may have ":filter" or ":unsorted", not ":sorted"/],
    ['weight:number:filter', /types string and boolean; "weight" is number/],
    ['page:string:filter', /No filter can be called "page"/],
    ['token:string:filter', /No filter can be called "token"/],
    [`${'a'.repeat(25)}:string`, /at most 24 characters/],
  ])('%s is refused with a sentence', (notation, sentence) => {
    expect(() => one(notation)).toThrow(sentence);
  });

  it('are at least one, each once', () => {
    expect(() => parseFields([])).toThrow('at least one field');
    expect(() => parseFields(['a:string', 'a:text'])).toThrow('"a" is given twice');
  });

  it('are at most two texts to sort by, for which a cursor has room', () => {
    expect(() => parseFields(['a:string', 'b:string', 'c:string'])).toThrow('"a", "b", "c" are 3');
    expect(parseFields(['a:string', 'b:string', 'c:string:unsorted'])).toHaveLength(3);
  });
});

describe('The plan of a collection', () => {
  it('writes down the command that it can be read from again', () => {
    const fungi = { name: 'fungi', singular: 'fungus', field: ['name:string', 'rare:boolean?'], parent: 'users' };
    const options = { ...fungi, events: true };
    const { command } = planCollection(options);
    expect(command).toBe(
      `npx nx g @items/tools:collection fungi --singular fungus --field 'name:string' --field 'rare:boolean?' --parent users --events`,
    );
    expect(optionsIn(`/** Made by\n * \`${command}\`\n */`)).toEqual(options);
    expect(optionsIn('nothing of the kind')).toBeUndefined();
  });

  it('nests below users alone', () => {
    expect(() => planCollection({ name: 'notes', field: ['a:text'], parent: 'items' })).toThrow('not below "items"');
  });

  it.each(['docs', 'health', 'settings'])('is not for %s, which is something else', (name) => {
    expect(() => planCollection({ name, singular: 'one', field: ['a:text'] })).toThrow('something else');
  });
});
