import { expectStatus, expectThat } from '../verdict.js';
import { fieldOf, fieldsOf, post } from '../service/exchange.js';
import { answers, decided, type Draft, ofItem } from './specified.js';

type Content = Readonly<Record<string, unknown>>;

const fields = ['id', 'name', 'description', 'color', 'price', 'created_at', 'updated_at'];

export const decidedFields = decided(['items.write'], {
  '2.item.fields': ofItem(
    'item: `id`, `name`, `description`, `color`, `price`, `created_at`, `updated_at`.',
    async ({ path }, { service }) => {
      const shown = await service.get(path);
      const missing = fields.filter((field) => !(field in fieldsOf(shown.json)));
      expectThat(missing.length === 0, shown, `the fields ${fields.join(', ')}`, `none named ${missing.join(', ')}`);
    },
  ),
  '2.refused.name-empty': refused('`name`: string, 1–200 characters after trimming: a name of blanks is refused.', {
    name: '   ',
  }),
  '2.refused.name-long': refused('`name`: string, 1–200 characters after trimming: 201 are refused.', {
    name: 'x'.repeat(201),
  }),
  '2.refused.description-long': refused('`description`: string ≤ 2000 or null.', { description: 'x'.repeat(2001) }),
  '2.refused.color-comma': refused('`color`: string 1–30 without a comma, or null.', { color: 'red,blue' }),
  '2.refused.color-long': refused('`color`: string 1–30: 31 are refused.', { color: 'x'.repeat(31) }),
  '2.refused.price-negative': refused('`price`: number ≥ 0.', { price: -1 }),
  '2.refused.price-decimals': refused('`price`: at most 2 decimals.', { price: 1.005 }),
  '2.refused.price-large': refused('`price`: ≤ 999999999.99.', { price: 1_000_000_000 }),
  '2.refused.price-text': refused('`price`: a number, not a text.', { price: '12' }),
  '2.refused.nul': refused('Strings are valid Unicode without NUL; other strings are 422.', { name: 'a\u0000b' }),
  '2.refused.unknown': refused('Any other unknown field is 422.', { nmae: 'x' }),
  '2.kept.name-trimmed': kept('`name` is stored trimmed.', { name: '  a mug ' }, { name: 'a mug' }),
  '2.kept.code-points': kept('Lengths count code points.', { name: '😀'.repeat(200) }),
  '2.kept.price-exact': kept('`price` is stored exactly, never as binary floating point.', { price: 999999999.99 }),
  '2.kept.left-out': kept(
    'An omitted optional field becomes null.',
    {},
    { description: null, color: null, price: null },
  ),
  '2.unknown.named': {
    sentence: 'Any other unknown field is 422 and is named, so that a misspelt field is not ignored.',
    run: async ({ items, service }) => {
      const answer = await service.send(post('/items', { ...items.content(), colour: 'red' }));
      expectThat(answer.text.includes('colour'), answer, '422 that names colour');
    },
  },
  '2.read-only.ignored': ofItem(
    'A read-only field that a client sends back (`id`, `created_at`, `updated_at` …) is ignored.',
    async (item, { items }) => {
      const { id, created_at: at } = fieldsOf(item.created.json);
      const answer = await items.replace(item, { id, created_at: '2000-01-01T00:00:00.000Z', updated_at: at });
      expectStatus(answer, 200);
      expectThat(fieldOf(answer, 'created_at') === at, answer, `created_at ${String(at)} as before`);
    },
  ),
  '2.utf8': answers(400, 'A body that is not valid UTF-8 is 400.', {
    method: 'POST',
    path: '/items',
    raw: Buffer.from('{"name":"\u00ff"}', 'latin1'),
  }),
});

function refused(sentence: string, content: Content): Draft {
  return answers(422, sentence, ({ items }) => post('/items', { ...items.content(), ...content }));
}

function kept(sentence: string, content: Content, expected = content): Draft {
  return {
    sentence,
    run: async ({ items, service }) => {
      const shown = await service.get((await items.create(content)).path);
      for (const [field, value] of Object.entries(expected)) {
        expectThat(fieldOf(shown, field) === value, shown, `\`${field}\`: ${JSON.stringify(value)}`);
      }
    },
  };
}
