/** JSON and almost JSON of about this size. */
export function oddBodies(): readonly (readonly [title: string, of: (bytes: number) => string])[] {
  return BODIES;
}

const BODIES: readonly (readonly [title: string, of: (bytes: number) => string])[] = [
  ['a number with zeros', (bytes) => `{"price":1${'0'.repeat(bytes)}1}`],
  ['zeros within a fraction', (bytes) => `{"price":1.${'0'.repeat(bytes)}1}`],
  ['a fraction with zeros', (bytes) => `{"price":1.${'0'.repeat(bytes)}}`],
  ['a fraction with digits', (bytes) => `{"price":0.${'3'.repeat(bytes)}}`],
  ['an exponent', (bytes) => `{"price":1e${'0'.repeat(bytes)}1}`],
  ...[
    '0',
    '0.1',
    '1e308',
    '1e-310',
    '1e400',
    '9007199254740993',
    '0.12345678901234567',
    '""',
    '"a"',
    '{}',
    '[]',
    'null',
    '{"a":0}',
  ].map((value) => [`many of ${value}`, (bytes: number) => `[${repeated(`${value},`, bytes)}0]`] as const),
  ['many members', (bytes) => object(bytes, (n) => `"${n.toString(36)}":0`)],
  ['many members with escapes', (bytes) => object(bytes, (n) => `"\\u0061${n.toString(36)}":0`)],
  ['many members that are numbers', (bytes) => object(bytes, (n) => `"${String(n * 131_072)}":0`)],
  ['many members with long equal beginnings', (bytes) => object(bytes, (n) => `"${'x'.repeat(100)}${String(n)}":0`)],
  ['a member twice, at the end', (bytes) => `${object(bytes, (n) => `"${n.toString(36)}":0`).slice(0, -1)},"0":0}`],
  ['many lines', (bytes) => `{"lines":[${repeated('{"item_id":"x","quantity":0},', bytes)}{}]}`],
  ['many scopes', (bytes) => `{"scopes":[${repeated('"items:read",', bytes)}""]}`],
  ['arrays in arrays', (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)],
  ['arrays that nothing closes', (bytes) => '['.repeat(bytes)],
  ['objects in objects', (bytes) => '{"a":'.repeat(bytes / 6) + '0' + '}'.repeat(bytes / 6)],
  ['blanks', (bytes) => `${' '.repeat(bytes)}{}`],
  ['line ends', (bytes) => `{${'\r\n'.repeat(bytes / 2)}}`],
  ['a text that nothing closes', (bytes) => `{"name":"${'\\"'.repeat(bytes / 2)}`],
  ['backslashes that nothing closes', (bytes) => `{"name":"${'\\'.repeat(bytes)}`],
];

function repeated(unit: string, bytes: number): string {
  return unit.repeat(bytes / unit.length);
}

function object(bytes: number, memberOf: (n: number) => string): string {
  const members: string[] = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const member = memberOf(n);
    members.push(member);
    size += member.length + 1;
  }
  return `{${members.slice(0, -1).join(',')}}`;
}
