import { expectStatus, expectThat } from '../expectations.js';
import { fieldsOf } from '../service/exchange.js';
import { decided, type Draft } from './specified.js';

const fields = ['id', 'name', 'description', 'color', 'price', 'created_at', 'updated_at'];

/** Content that must be refused with 422, by the name of its check. */
const refused: readonly [string, string, Readonly<Record<string, unknown>>][] = [
  ['name-empty', '`name`: string, 1–200 characters after trimming: one of blanks is empty.', { name: '   ' }],
  ['name-long', '`name`: string, 1–200 characters after trimming: not 201.', { name: 'x'.repeat(201) }],
  ['description-long', '`description`: string ≤ 2000 or null.', { description: 'x'.repeat(2001) }],
  ['color-comma', '`color`: string 1–30 without a comma, or null.', { color: 'red,blue' }],
  ['color-long', '`color`: string 1–30, not 31.', { color: 'x'.repeat(31) }],
  ['price-negative', '`price`: number ≥ 0.', { price: -1 }],
  ['price-decimals', '`price`: at most 2 decimals.', { price: 1.005 }],
  ['price-large', '`price`: ≤ 999999999.99.', { price: 1_000_000_000 }],
  ['price-text', '`price`: a number, not a text.', { price: '12' }],
  ['nul', 'Strings are valid Unicode without NUL; others are 422.', { name: 'a\u0000b' }],
  ['unknown', 'Any other unknown field is 422.', { nmae: 'x' }],
];

/** Accepted content, and its form in the response. */
const kept: readonly [string, string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>][] = [
  ['name-trimmed', '`name` is stored trimmed.', { name: '  a mug ' }, { name: 'a mug' }],
  ['code-points', 'Lengths count code points.', { name: '😀'.repeat(200) }, { name: '😀'.repeat(200) }],
  [
    'price-exact',
    '`price` is stored exactly, never as binary floating point.',
    { price: 999999999.99 },
    { price: 999999999.99 },
  ],
  ['left-out', 'An optional field left out becomes null.', {}, { description: null, color: null, price: null }],
];

export const decidedFields = decided([
  {
    id: '2.item.fields',
    sentence: 'item: `id`, `name`, `description`, `color`, `price`, `created_at`, `updated_at`.',
    needs: ['items.write'],
    run: async ({ items, service }) => {
      const shown = await service.get((await items.create()).path);
      const missing = fields.filter((field) => !(field in fieldsOf(shown.json)));
      expectThat(missing.length === 0, shown, `the fields ${fields.join(', ')}`, `none named ${missing.join(', ')}`);
    },
  },
  ...refused.map(([name, sentence, content]): Draft => ({
    id: `2.refused.${name}`,
    sentence,
    needs: ['items.write'],
    run: async ({ items, service }) => {
      const body = { ...items.content(), ...content };
      expectStatus(await service.send({ method: 'POST', path: '/items', body }), 422);
    },
  })),
  ...kept.map(([name, sentence, content, expected]): Draft => ({
    id: `2.kept.${name}`,
    sentence,
    needs: ['items.write'],
    run: async ({ items, service }) => {
      const shown = await service.get((await items.create(content)).path);
      for (const [field, value] of Object.entries(expected)) {
        expectThat(fieldsOf(shown.json)[field] === value, shown, `\`${field}\`: ${JSON.stringify(value)}`);
      }
    },
  })),
  {
    id: '2.unknown.named',
    sentence: 'Any other unknown field is 422 and is named, so that a typing error loses nothing in silence.',
    needs: ['items.write'],
    run: async ({ items, service }) => {
      const body = { ...items.content(), colour: 'red' };
      const answer = await service.send({ method: 'POST', path: '/items', body });
      expectThat(answer.text.includes('colour'), answer, '422 that names colour');
    },
  },
  {
    id: '2.read-only.ignored',
    sentence: 'A read-only field that a client sends back (`id`, `created_at`, `updated_at` …) is ignored.',
    needs: ['items.write'],
    run: async ({ items }) => {
      const item = await items.create();
      const { id, created_at: at } = fieldsOf(item.created.json);
      const answer = await items.replace(item, { id, created_at: '2000-01-01T00:00:00.000Z', updated_at: at });
      expectStatus(answer, 200);
      expectThat(fieldsOf(answer.json)['created_at'] === at, answer, `created_at ${String(at)} as before`);
    },
  },
  {
    id: '2.utf8',
    sentence: 'A body that is not valid UTF-8 is 400.',
    needs: ['items.write'],
    run: async ({ service }) => {
      const raw = Buffer.from('{"name":"\u00ff"}', 'latin1');
      expectStatus(await service.send({ method: 'POST', path: '/items', raw }), 400);
    },
  },
]);
