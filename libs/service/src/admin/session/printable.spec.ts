import { printable } from './printable.js';

describe('The output of a command', () => {
  it.each([
    ['There is no file a\u001b[2Jb.', 'There is no file a\\u001b[2Jb.'],
    ['a\r\u0007\u009b\u007f', 'a\\u000d\\u0007\\u009b\\u007f'],
    ['txt.\u202eexe \u{e0041}', 'txt.\\u202eexe \\u{e0041}'],
    ['Übung – 😀.jsonl', 'Übung – 😀.jsonl'],
    ['Created.\nPassword: x', 'Created.\nPassword: x'],
  ])('has no character that steers a terminal: %j', (text, shown) => {
    expect(printable(text, [])).toBe(shown);
  });

  it('has no line that an argument has begun', () => {
    const file = 'a\nImported 5 items.';
    expect(printable(`There is no file ${file}: give another name.`, ['import', 'items', file])).toBe(
      'There is no file a\\u000aImported 5 items.: give another name.',
    );
  });
});
