import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { runCli } from './run-cli.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'create-service-'))));
afterEach(() => {
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
});

/** Runs the command, and answers each question with the next line. @returns its status and its output. */
async function run(args: string[], { lines = [] as string[], isTTY = false } = {}): Promise<unknown[]> {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  const answers = [...lines];
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (chunk.includes('): ')) input.write(`${answers.shift() ?? ''}\n`);
  });
  const status = await runCli(args, { input, output });
  await new Promise(setImmediate);
  return [status, text];
}

describe('npm create @items/service', () => {
  it('asks nothing without a terminal', async () => {
    const shop = join(folder, 'shop');
    expect(await run([shop])).toEqual([0, expect.stringMatching(/^Created .*\n\nNext:\n {2}cd /)]);
    expect(readFileSync(join(shop, '.env.example'), 'utf8')).toContain('DATABASE_URL=sqlite:./data/items.sqlite');
  });

  it('asks on a terminal, again after a wrong answer, and an empty line is the default', async () => {
    const shop = join(folder, 'shop');
    const [, text] = await run([shop], { isTTY: true, lines: ['mysql', 'postgres', ''] });
    expect(String(text).match(/Database, sqlite or postgres \(sqlite\): /g)).toHaveLength(2);
    expect(readFileSync(join(shop, '.env.example'), 'utf8')).toMatch(/^DATABASE_URL=postgres:/m);
    expect(existsSync(join(shop, 'src/books.ts'))).toBe(true);
  });

  it('asks no question that an option settles, and none with --yes', async () => {
    const given = ['--database', 'postgres', '--collection', 'gadgets', '--no-git'];
    expect((await run([join(folder, 'a'), ...given], { isTTY: true }))[1]).not.toContain('(');
    expect(existsSync(join(folder, 'a/src/gadgets.ts'))).toBe(true);
    expect(existsSync(join(folder, 'a/.git'))).toBe(false);
    expect((await run([join(folder, 'b'), '--yes'], { isTTY: true }))[1]).not.toContain('(');
  });

  it.each([[[]], [['a', 'b']], [['a', '--colection', 'b']], [['a', '--database', 'mysql']]])(
    'prints its usage, and changes nothing, for %j',
    async (args) => {
      const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
      expect(await run(args)).toEqual([2, '']);
      expect(write.mock.calls[0]?.[0]).toContain('Usage: npm create @items/service <folder>');
      expect(existsSync('a')).toBe(false);
    },
  );
});
