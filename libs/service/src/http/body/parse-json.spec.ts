import { MalformedBodyError, OMITTED_MEMBERS, type ValidationError } from '@items/conventions';

import { parseJson } from './parse-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const refusalOf = (text: string) =>
  parse(text).then(
    () => Promise.reject(new Error('It was accepted.')),
    (error: unknown) => error as ValidationError,
  );

describe('JSON bodies (SPEC §4 rule 6)', () => {
  it.each([
    '{}',
    ' {"a":[1,-2.5,1e3,"x",null,true]}\n',
    '"text"',
    '{"price":19.990}',
    '{"n":0.1,"m":1E+2,"z":-0,"y":0.000}',
    '{"n":9007199254740992,"m":123456789012345680000}',
    '{"a":{"x":1},"b":{"x":1}}',
    '[{"x":1},{"x":1}]',
    '{"x":"x","y":["x","x"]}',
    '{"quote\\\\":"\\"{[","b":"\\\\"}',
  ])('reads %s', async (text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  it('treats __proto__ as an ordinary member', async () => {
    expect(Object.keys((await parse('{"__proto__":1}')) as object)).toEqual(['__proto__']);
  });

  it.each(['', '  ', '{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":01}', '\ufeff{}', '{}{}', '"\u0001"'])(
    'refuses a text that is not JSON: %p',
    async (text) => {
      await expect(parse(text)).rejects.toThrow(MalformedBodyError);
    },
  );

  it.each([[[0xff]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xc0, 0x80, 0x22]]])(
    'refuses bytes that are not UTF-8: %p',
    async (bytes) => {
      await expect(parseJson(Uint8Array.from(bytes))).rejects.toThrow('not valid UTF-8');
    },
  );

  it.each(['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{"a":1,"c":[{}],"a":2}}]', '{"__proto__":1,"__proto__":2}'])(
    'refuses a duplicate member: %s',
    async (text) => {
      await expect(parse(text)).rejects.toThrow(/twice in one object/);
    },
  );

  it.each(['1e400', '-1e400', '9007199254740993', '0.1234567890123456789', '1e-400', '12345678901234567890'])(
    'refuses a number that a double cannot hold: %s',
    async (number) => {
      await expect(parse(`{"price":${number}}`)).rejects.toThrow(/^"price" is a number too large or too precise/);
    },
  );

  it('names the field of each such number, at any depth', async () => {
    const fields = async (text: string) => (await refusalOf(text)).details.map(({ field }) => field);
    expect(await fields('{"lines":[{"quantity":1},{"note":"1e400","quantity":1e400}],"x":[1,[2,1e999]]}')).toEqual([
      'lines.1.quantity',
      'x.1.1',
    ]);
    expect(await fields('1e400')).toEqual(['']);
  });

  it('lists twenty of two hundred thousand such numbers, and counts the others', async () => {
    const refusal = await refusalOf(`[${'1e400,'.repeat(170_000)}1]`);
    expect(refusal.details).toHaveLength(20);
    expect(refusal.message).toMatch(/And 169997 more\.$/);
  });

  it.each([
    ['arrays', '['.repeat(33) + ']'.repeat(33)],
    ['half a million arrays', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ])('refuses deep nesting: %s', async (_, text) => {
    await expect(parse(text)).rejects.toThrow(/nested deeper/);
  });

  describe('that a class validates', () => {
    const parseValidated = async (text: string) => parseJson(Buffer.from(text), { isValidated: true });
    const members = (count: number, from = 0) =>
      Array.from({ length: count }, (_, index) => `"k${String(from + index)}":{"n":[1]}`).join();

    it('are read as a whole up to a thousand different names, for any number of members', async () => {
      const text = `[${'{"a":1,"b":[{"c":2}]},'.repeat(4_500)}{${members(996)}}]`;
      expect(await parseValidated(text)).toEqual(JSON.parse(text));
    });

    it('are read up to this limit, and report the object and the number of omitted members', async () => {
      const body = await parseValidated(`{"n":1,${members(120_000)} , "last":"x\\",}{"}`);
      expect(body).toEqual(JSON.parse(`{"n":1,${members(999)}}`));
      expect((body as Record<symbol, unknown>)[OMITTED_MEMBERS]).toMatchObject({
        kind: 'names',
        field: '',
        count: 119_002,
        max: 1000,
      });
    });

    it('are cut within nested objects, too', async () => {
      const body = await parseValidated(`{"a":[0,{${members(2000)}},1],"b":2}`);
      expect(body).toEqual(JSON.parse(`{"a":[0,{${members(998)}}]}`));
      expect((body as Record<symbol, unknown>)[OMITTED_MEMBERS]).toMatchObject({ field: 'a.1', count: 1002 });
    });

    it.each([
      ['an array', `{"n":1,"a":[${'{},'.repeat(9_999)}{}]}`],
      ['arrays within it', `[${'[1,2],'.repeat(3_332)}[1,2],3]`],
      ['empty arrays', `{"a":[${'[],'.repeat(4_999)}[]]}`],
    ])('are read as a whole up to ten thousand elements: %s', async (_, text) => {
      const body = await parseValidated(text);
      expect(body).toEqual(JSON.parse(text));
      expect(body).not.toHaveProperty([OMITTED_MEMBERS]);
    });

    it.each([
      ['an array', `{"a":[${'{"b":1},'.repeat(9_999)}{"b":1}`, ', {"b":1}],"c":2}', ']}'],
      ['arrays within it', `[${'[1,2],'.repeat(3_333)}5`, ',6]', ']'],
      ['arrays of one element', `{"a":[${'[1],'.repeat(4_999)}[1]`, ',[1]]}', ']}'],
      ['the array of the next member', `{"a":[${'1,'.repeat(9_999)}1]`, ',"b":[1]}', '}'],
      ['what is no JSON behind them', `[${'1,'.repeat(9_999)}1`, ',x', ']'],
      ['what is nested too deep behind them', `[${'1,'.repeat(9_999)}1`, `,${'['.repeat(40)}`, ']'],
    ])('are read up to ten thousand elements, and report that there are more: %s', async (_, read, rest, closing) => {
      const body = await parseValidated(read + rest);
      expect(body).toEqual(JSON.parse(read + closing));
      const omitted = { kind: 'elements', field: '', max: 10_000 };
      expect((body as Record<symbol, unknown>)[OMITTED_MEMBERS]).toMatchObject(omitted);
    });

    it('are read up to fifty thousand members of all objects, and report that there are more', async () => {
      const read = `{"a":[${Array.from({ length: 100 }, () => `{${members(499)},"n":1}`).join()}`.replaceAll(
        '{"n":[1]}',
        '1',
      );
      const body = await parseValidated(`${read},{"k0":1,x`);
      expect(body).toEqual(JSON.parse(`${read.slice(0, -',"n":1}'.length)}}]}`));
      const omitted = { kind: 'members', field: '', max: 50_000 };
      expect((body as Record<symbol, unknown>)[OMITTED_MEMBERS]).toMatchObject(omitted);
    });

    it('report problems before the limit', async () => {
      await expect(parseValidated(`{"x":1,"x":2,${members(2000)}}`)).rejects.toThrow(/twice in one object/);
      await expect(parseValidated(`{"x":,${members(2000)}}`)).rejects.toThrow(MalformedBodyError);
    });
  });

  it('stops at a duplicate member', async () => {
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses += 1;
      return Promise.resolve();
    };
    const body = Buffer.from(`{${'"a":1,'.repeat(170_000)}"a":1}`);
    await expect(parseJson(body, { pause })).rejects.toThrow('has the member "a" twice');
    expect(pauses).toBe(0);
  });

  it.each([
    ['32 levels', '['.repeat(32) + ']'.repeat(32)],
    ['many levels side by side', `[${'[[]],'.repeat(100)}[]]`],
    ['brackets within a text', `["${'[\\"{'.repeat(100)}"]`],
  ])('reads %s', async (_, text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });

  it('yields to other work while it parses a mebibyte', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await parse(`[${'1.5,'.repeat(250_000)}1]`);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['one long text', `["${'x'.repeat(1_000_000)}"]`],
    ['one long text of quotes', `["${'\\"'.repeat(500_000)}"]`],
    ['one long text of backslashes', `["${'\\\\'.repeat(500_000)}"]`],
    ['many numbers', `[${'1.5,'.repeat(250_000)}1]`],
    ['many members', `{${Array.from({ length: 60_000 }, (_, index) => `"k${String(index)}":1`).join()}}`],
  ])('reads a mebibyte of %s', async (_, text) => {
    expect(await parse(text)).toEqual(JSON.parse(text));
  });
});
