/** An unacceptable body of an item, and its possible statuses. */
export interface BadBody {
  readonly title: string;
  readonly body: Uint8Array;
  readonly statuses: readonly number[];
}

const MALFORMED = [400] as const;
/** For JSON that the service may refuse by its syntax or by its content. */
const EITHER = [400, 422] as const;

const text = (statuses: readonly number[], content: string, title = content): BadBody => ({
  title: JSON.stringify(title.slice(0, 60)),
  body: Buffer.from(content, 'utf8'),
  statuses,
});
const bytes = (title: string, ...parts: readonly (string | readonly number[])[]): BadBody => ({
  title,
  body: Buffer.concat(parts.map((part) => Buffer.from(part as string))),
  statuses: MALFORMED,
});

/** §4 rule 6: A malformed JSON body answers 400. */
const SYNTAX: readonly BadBody[] = [
  ...['', ' ', '\n', '{', '}', '[', ']', '{}{}', '{"name"', '{"name":', '{"name":"Lamp"', '{"name":"Lamp"}}'],
  ...[
    '{"name":"Lamp"}x',
    '{"name":"Lamp"} {}',
    '{"name":"Lamp",}',
    '{,"name":"Lamp"}',
    '{"name":"Lamp",,"color":"red"}',
  ],
  ...["{'name':'Lamp'}", '{name:"Lamp"}', '{"name" "Lamp"}', '{"name":"Lamp" "color":"red"}', '{"name"="Lamp"}'],
  ...['{"name":undefined}', '{"price":NaN}', '{"price":Infinity}', '{"price":-Infinity}', '{"price":nan}'],
  ...[
    '{"price":01}',
    '{"price":+1}',
    '{"price":.5}',
    '{"price":1.}',
    '{"price":0x10}',
    '{"price":1e}',
    '{"price":--1}',
  ],
  ...['{"price":1_000}', '{"price":1,000}', '{"price":-}', '{"price":1e+}', '{"price":1n}'],
  ...['{"name":"a\nb"}', '{"name":"a\tb"}', '{"name":"a\u0000b"}', '{"name":"a\u001fb"}'],
  ...['{"name":"\\x41"}', '{"name":"\\u12"}', '{"name":"\\u{41}"}', '{"name":"\\"}', '{"name":"a', '{"name":"\\ud83"}'],
  ...['{"name":"Lamp"/* */}', '// x\n{"name":"Lamp"}', '#{"name":"Lamp"}', '{"name":"Lamp"}//'],
  ...[
    'tru',
    'nul',
    'True',
    'None',
    'undefined',
    'Lamp',
    '"Lamp',
    "'Lamp'",
    'name=Lamp&price=1',
    '<item/>',
    'name: Lamp',
  ],
  ...[')]}\',\n{"name":"Lamp"}', '{"name":"Lamp"}\u0000', '\u0000{"name":"Lamp"}', '{"name":"Lamp"}\u00a0', '\u2028{}'],
].map((content) => text(MALFORMED, content));

const ENCODING: readonly BadBody[] = [
  bytes('a byte order mark', [0xef, 0xbb, 0xbf], '{"name":"Lamp"}'),
  bytes('two byte order marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], '{"name":"Lamp"}'),
  bytes('a byte that is never UTF-8', '{"name":"a', [0xff], 'b"}'),
  bytes('Latin-1', '{"name":"caf', [0xe9], '"}'),
  bytes('a lone continuation byte', '{"name":"', [0x80], '"}'),
  bytes('an overlong NUL', '{"name":"', [0xc0, 0x80], '"}'),
  bytes('an overlong slash', '{"name":"', [0xe0, 0x80, 0xaf], '"}'),
  bytes('an encoded surrogate', '{"name":"', [0xed, 0xa0, 0x80], '"}'),
  bytes('a surrogate pair in CESU-8', '{"name":"', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], '"}'),
  bytes('beyond Unicode', '{"name":"', [0xf4, 0x90, 0x80, 0x80], '"}'),
  bytes('a character cut off', '{"name":"', [0xe2, 0x82], '"}'),
  bytes('a character cut off at the end', '{"name":"Lamp"}', [0xe2, 0x82]),
  bytes('invalid UTF-8 in a name of a field', '{"name":"Lamp","', [0xff], '":1}'),
  { title: 'UTF-16', body: Buffer.from('{"name":"Lamp"}', 'utf16le'), statuses: MALFORMED },
  { title: 'UTF-16 with its mark', body: Buffer.from('\ufeff{"name":"Lamp"}', 'utf16le'), statuses: MALFORMED },
  bytes('random bytes', [0x00, 0x9f, 0x92, 0x96, 0x00, 0x01, 0xfe]),
];

const NUMBERS: readonly BadBody[] = [
  ...['1e400', '-1e400', '1e309', '1e-400', '9007199254740993', '-9007199254740993', '123456789012345678901234567890'],
  ...['0.1000000000000000055511151231257827', '19.990000000000000001', '0.30000000000000004', '1e21', '1E+100'],
  ...['1'.repeat(50_000), `0.${'0'.repeat(50_000)}1`, `1${'0'.repeat(400)}.5`],
].map((number) => text(EITHER, `{"name":"Lamp","price":${number}}`, `price ${number}`));

const DEPTH = 100_000;
const STRUCTURE: readonly BadBody[] = [
  text(EITHER, '{"name":"a","name":"b"}'),
  text(EITHER, '{"name":"a","name":"a"}'),
  text(EITHER, '{"name":"a","n\\u0061me":"b"}'),
  text(EITHER, '{"name":"a","price":1,"price":2}'),
  text(EITHER, '{"name":"a","__proto__":1,"__proto__":2}'),
  text(EITHER, '{"name":"a","x":{"y":1,"y":2}}'),
  text(EITHER, '['.repeat(DEPTH) + ']'.repeat(DEPTH), '100 000 arrays in each other'),
  text(MALFORMED, '['.repeat(DEPTH), '100 000 open arrays'),
  text(EITHER, `{"name":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`, 'a name 100 000 arrays deep'),
  text(EITHER, `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`, '100 000 objects in each other'),
  text(MALFORMED, '{"a":'.repeat(DEPTH), '100 000 open objects'),
  text(EITHER, `{"name":"Lamp","extra":${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}}`, 'a deep unknown field'),
  text([422], '{"name":"Lamp","__proto__":{"name":"x"}}'),
  text([422], '{"__proto__":{"name":"Lamp"}}'),
  text([422], '{"name":"Lamp","constructor":{"prototype":{"x":1}}}'),
  text([422], `[${'1,'.repeat(100_000)}1]`, 'a long array'),
  text([422], `{"name":"Lamp","scopes":[${'1,'.repeat(100_000)}1]}`, 'a long unknown list'),
  text([422], '{"name":{"toString":"x"}}'),
  text([422], '{"name":{"length":5}}'),
  text([422], '{"name":["Lamp"]}'),
  text([422], '{"name":"Lamp","price":{"valueOf":1}}'),
  text([422], '{"name":"Lamp","color":["red"]}'),
  text([422], '{"name":"\\u0000"}'),
  text([422], '{"name":"\\ud800"}'),
  text([422], '{"name":"Lamp","\\ud800":1}'),
  text([422], '{"name":"Lamp","\\u0000":1}'),
];

export const BAD_BODIES: readonly BadBody[] = [...SYNTAX, ...ENCODING, ...NUMBERS, ...STRUCTURE];
