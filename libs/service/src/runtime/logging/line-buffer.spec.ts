import { LineBuffer } from './log.js';

describe('LineBuffer', () => {
  let passed: string[];
  let buffer: LineBuffer;

  beforeEach(() => {
    jest.useFakeTimers();
    passed = [];
    buffer = new LineBuffer((lines) => passed.push(lines.toString()), 6, 200);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('passes lines on together and in order, as soon as there are enough', () => {
    buffer.write('a\n');
    buffer.write('b\n');
    expect(passed).toEqual([]);
    buffer.write('c\n');
    expect(passed).toEqual(['a\nb\nc\n']);
  });

  it('buffers no line for longer than the maximum', () => {
    buffer.write('a\n');
    jest.advanceTimersByTime(200);
    expect(passed).toEqual(['a\n']);
  });

  it('passes on whole lines in order, of any length and in any script', () => {
    const lines = ['a\n', `${'ü'.repeat(5_000)}\n`, 'b\n', `${'語'.repeat(20_000)}\n`, 'c\n'];
    for (const line of lines) buffer.write(line);
    buffer.flush();
    expect(passed.join('')).toBe(lines.join(''));
    expect(passed.every((text) => text.endsWith('\n'))).toBe(true);
  });

  it('passes nothing on if it is empty', () => {
    buffer.flush();
    jest.advanceTimersByTime(1000);
    expect(passed).toEqual([]);
  });
});
