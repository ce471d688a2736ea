import { messageList } from './to-api-error.js';

describe('The list of sentences that a ValidationPipe makes', () => {
  it.each([
    ['name must be longer than or equal to 1 characters', 'name', 'invalid'],
    ['name should not be empty', 'name', 'invalid'],
    ['lines.0.quantity must be an integer number', 'lines.0.quantity', 'invalid'],
    ['each value in tags must be a string', 'tags', 'invalid'],
    ['nested property lines must be an array', 'lines', 'invalid'],
    ['property colour should not exist', 'colour', 'unknown_field'],
  ])('%s: it is about %s', (message, field, code) => {
    expect(messageList([message]).details).toEqual([{ field, code, message }]);
  });

  it.each(['Please give a name', 'Validation failed (uuid is expected)'])('%s: no field is known', (message) => {
    expect(messageList([message])).toEqual({ message: `${message}.`, details: [] });
  });

  it('is bounded: three sentences and the number of others, twenty details sorted by field', () => {
    const list = Array.from({ length: 30 }, (_, index) => `field${String(30 - index)} must be a string`);
    const { message, details } = messageList(list);
    expect(message).toMatch(/^field30 must be a string; .*; field28 must be a string; and 27 more\.$/);
    expect(details).toHaveLength(20);
    expect(details[0]?.field).toBe('field1');
  });

  it('has a sentence even without any text', () => {
    expect(messageList([{}, 1])).toEqual({ message: 'The request is not valid.', details: [] });
  });
});
