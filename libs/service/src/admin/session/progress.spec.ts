import { progressOn } from './progress.js';

describe('The progress of a command', () => {
  let nowMs = 0;
  const written: string[] = [];
  const output = (isTTY: boolean): Parameters<typeof progressOn>[0] => ({
    isTTY,
    write: (text) => written.push(text),
  });
  beforeEach(() => {
    nowMs = 0;
    written.length = 0;
  });

  it('is a bar on a terminal, drawn ten times a second, and cleared before other output', () => {
    const progress = progressOn(output(true), () => nowMs);
    for (; nowMs < 250; nowMs += 10) progress.at('items', nowMs, 200);
    progress.end();
    progress.end();
    expect(written).toEqual([
      `\r\u001B[Kitems [${'.'.repeat(30)}] 0 %`,
      `\r\u001B[Kitems [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`,
      `\r\u001B[Kitems [${'#'.repeat(30)}] 100 %`,
      '\r\u001B[K',
    ]);
  });

  it('is a line every five seconds elsewhere', () => {
    const progress = progressOn(output(false), () => nowMs);
    for (; nowMs <= 12_000; nowMs += 1000) progress.at('items', nowMs, 20_000);
    progress.end();
    expect(written).toEqual(['items: 25 %\n', 'items: 50 %\n']);
  });

  it('is 100 % if there is nothing to do', () => {
    progressOn(output(true), () => nowMs).at('items', 0, 0);
    expect(written[0]).toContain('100 %');
  });
});
