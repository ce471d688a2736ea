import { JsonText } from './json-text.js';

it('Written JSON is what it says, also within something else', () => {
  expect(JSON.stringify({ page: new JsonText('{"n":1,"list":["a"]}') })).toBe('{"page":{"n":1,"list":["a"]}}');
});
