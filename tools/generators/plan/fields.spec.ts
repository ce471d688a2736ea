import { readFileSync } from 'node:fs';
import { workspacePath } from '../../workspace/root.ts';
import { FIELD_TYPES } from './field-types.ts';
import { parseFields } from './fields.ts';
import { optionsIn, planCollection } from './plan.ts';

const one = (notation: string) => parseFields([notation])[0];

describe('The fields of a collection', () => {
  it.each(Object.entries(FIELD_TYPES))('%s, required and optional', (name, { argumentKind, requiresArgument }) => {
    const type = requiresArgument ? `${name}(${argumentKind === 'words' ? 'a/b' : 'authors'})` : name;
    expect(one(`field:${type}`)).toMatchObject({ name: 'field', typeName: name, optional: false });
    expect(one(`field:${type}?`)).toMatchObject({ name: 'field', typeName: name, optional: true });
  });

  it('have lengths, ranges, words and collections in parentheses', () => {
    expect(one('a:string(13)')?.argument).toEqual({ max: 13 });
    expect(one('a:integer(-5..99)')?.argument).toEqual({ range: ['-5', '99'] });
    expect(one('a:number(0..0.5)')?.argument).toEqual({ range: ['0', '0.5'] });
    expect(one('a:choice(draft/on sale)')?.argument).toEqual({ words: ['draft', 'on sale'] });
    expect(one('a:reference(order-notes):keep')?.argument).toEqual({ collection: 'order-notes', keep: true });
  });

  it.each([
    ['a:string=none', "'none'"],
    ['a:choice(draft/published)=draft', "'draft'"],
    ['a:integer(0..9)=07', '7'],
    ['a:number=-1.5', '-1.5'],
    ['a:money=0.5', '0.5'],
    ['a:boolean=true:filter', 'true'],
  ])('%s has a default', (notation, fallback) => {
    expect(one(notation)).toMatchObject({ fallback, optional: false });
  });

  it('are sortable if useful, and filterable if they are flags or on request', () => {
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
    ['constructor:string', /A class has "constructor" already/],
    ['name:string:sorted', /may have ":filter", ":unsorted" or ":keep", not ":sorted"/],
    ['weight:number:filter', /types string, boolean, choice, reference; "weight" is number/],
    ['token:string:filter', /No filter can be called "token"/],
    [`${'a'.repeat(51)}:string`, /at most 50 characters/],
    ['a:string(0)', /"a" is written like string\(50\), not "string\(0\)"/],
    ['a:string(many)', /written like string\(50\)/],
    ['a:string(451)', /at most 450 characters long: give "a" ":unsorted"/],
    ['a:text(10001)', /written like string\(50\)/],
    ['a:integer(9..0)', /written like integer\(0..99\)/],
    ['a:integer(0..1.5)', /written like integer\(0..99\)/],
    ['a:integer(0..9007199254740992)', /written like integer\(0..99\)/],
    ['a:choice', /written like choice\(draft\/published\), not "choice"/],
    ['a:choice(x/x)', /written like choice/],
    ["a:choice(it's)", /written like choice/],
    ['a:choice(x,y)', /written like choice/],
    ['a:reference', /written like reference\(authors\)/],
    ['a:reference(../x)', /written like reference\(authors\)/],
    ['a:money(3)', /written like money, not "money\(3\)"/],
    ['a:string:keep', /":keep" belongs to references/],
    ['a:choice(x/y)=z', /"z" cannot be the default of "a"/],
    ['a:string(3)=long', /"long" cannot be the default/],
    ["a:string=it's", /cannot be the default/],
    ['a:integer(0..9)=10', /"10" cannot be the default/],
    ['a:integer=0.5', /"0.5" cannot be the default/],
    ['a:money=-1', /"-1" cannot be the default/],
    ['a:boolean=yes', /"yes" cannot be the default/],
    ['a:date-time=now', /A date-time has no default/],
  ])('%s is refused with a sentence', (notation, sentence) => {
    expect(() => one(notation)).toThrow(sentence);
  });

  it('are at least one, each once', () => {
    expect(() => parseFields([])).toThrow('at least one field');
    expect(() => parseFields(['a:string', 'a:text'])).toThrow('"a" is given twice');
  });
});

describe('The plan of a collection', () => {
  it('records its command, from which it can be parsed again', () => {
    const fungi = { name: 'fungi', singular: 'fungus', field: ['name:string', 'rare:boolean?'], parent: 'users' };
    const options = { ...fungi, events: true };
    const { command } = planCollection(options);
    expect(command).toBe(
      `npx nx g @items/tools:collection fungi --singular fungus --field 'name:string' --field 'rare:boolean?' --parent users --events`,
    );
    expect(optionsIn(`/** Made by\n * \`${command}\`\n */`)).toEqual(options);
    expect(optionsIn('nothing of the kind')).toBeUndefined();
  });

  it('records keys, a parent and methods', () => {
    const options = {
      name: 'books',
      field: ['isbn:string(13)', 'author_id:reference(authors)', 'kind:choice(novel/poem)=novel'],
      parent: 'shelves',
      unique: ['isbn', 'author_id+isbn'],
      methods: ['list', 'create'],
      events: false,
    };
    const plan = planCollection(options);
    expect(optionsIn(`/** Made by\n * \`${plan.command}\`\n */`)).toEqual(options);
    expect(plan).toMatchObject({ parentColumn: 'shelf_id', unique: [['isbn'], ['author_id', 'isbn']] });
  });

  it.each([
    ['docs', 'a:text', /A collection cannot be named "docs": the service itself has a table, a path or a scope/],
    ['api-keys', 'a:text', /A collection cannot be named "api_keys"/],
    ['events-logs', 'a:text', /A collection cannot be named "events_logs"/],
    ['book-versions', 'a:text', /tables whose names end in _versions hold replaced members/],
    ['notes', 'id:text', /A field of the collection "notes" cannot be named "id": the service itself has a column/],
    ['notes', 'rowid:text', /the service itself has a column/],
    ['notes', 'user_id:text', /the service itself has a column/],
    ['notes', 'sort:text', /lists have a query parameter of this name/],
    ['notes', 'created_at_min:text', /lists are narrowed to a range of "created_at" by this parameter/],
  ])('is not for %s with %s', (name, field, sentence) => {
    expect(() => planCollection({ name, field: [field], parent: 'users' })).toThrow(sentence);
  });

  it.each([
    [['name:string', 'name_prefix:text'], 'a range of "name"'],
    [['year:integer', 'year_max:text'], 'a range of "year"'],
    [['at:date-time', 'at_min:text'], 'a range of "at"'],
  ])('has no field named like a range: %j', (field, sentence) => {
    expect(() => planCollection({ name: 'notes', field })).toThrow(sentence);
    expect(
      planCollection({ name: 'notes', field: field.map((each) => each.replace(/:[a-z-]+$/, ':text')) }),
    ).toBeDefined();
  });

  it('accepts words of SQL as names', () => {
    const plan = planCollection({ name: 'groups', field: ['order:integer', 'desc:text', 'user:string'] });
    expect(plan.fields.map(({ name }) => name)).toEqual(['order', 'desc', 'user']);
  });

  it('refuses a singular of the service, and a word of TypeScript', () => {
    expect(() => planCollection({ name: 'readers', singular: 'user', field: ['a:text'] })).toThrow(
      'The singular of the collection "readers" cannot be "user": the service itself has objects of this kind.',
    );
    expect(() => planCollection({ name: 'class', singular: 'one', field: ['a:text'] })).toThrow('a word of TypeScript');
  });

  it.each([
    ['x', 'needs a field "x", and the collection has none'],
    ['a+a', 'names a field twice'],
    ['a+b', 'allows 400 characters: the texts of a key have together at most 200 characters'],
    ['tags', 'cannot contain "tags": lists and objects cannot be compared by an index'],
    ['done', 'needs a field with many values'],
    ['code', 'needs a field with many values'],
    ['rank', 'needs a field with many values'],
    ['', 'needs a field ""'],
  ])('refuses the key "%s" with a sentence', (key, sentence) => {
    const field = ['a:string', 'b:string', 'tags:texts', 'done:boolean', 'code:string(7)', 'rank:integer(0..99)'];
    expect(() => planCollection({ name: 'notes', field, unique: [key] })).toThrow(sentence);
    expect(() => planCollection({ name: 'notes', field, unique: ['a', 'a'] })).toThrow('is declared twice');
  });

  it.each(['delete', 'LIST', ''])('refuses the method "%s"', (method) => {
    expect(() => planCollection({ name: 'notes', field: ['a:text'], methods: ['list', method] })).toThrow(
      `methods of "notes" names "${method}": it takes each of list, create, get, replace, remove once.`,
    );
  });

  it('refuses the names that the service refuses at its start, like create-service', () => {
    const textOf = (path: string) => readFileSync(workspacePath(path), 'utf8');
    const start = textOf('libs/service/src/service/composition/collection-names.ts');
    const generator = textOf('tools/generators/plan/reserved-names.ts');
    const creator = textOf('libs/create-service/src/names-of.ts');
    for (const name of ['RESERVED', 'RESERVED_FORM', 'VERSIONS', 'OWN_KINDS', 'COLUMNS', 'PARAMETERS']) {
      const value = new RegExp(`const ${name}\\b[^=]*= ([^;]+);`);
      const expected = value.exec(start)?.[1];
      expect(expected).toBeDefined();
      expect(value.exec(generator)?.[1]).toBe(expected);
      if (creator.includes(`const ${name}`)) expect(value.exec(creator)?.[1]).toBe(expected);
    }
  });
});
