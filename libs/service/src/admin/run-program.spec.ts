import type { OperationContext, Operations } from './operation.js';
import { runProgram } from './run-program.js';
import { OperationError } from './session/operation-error.js';

const operations: Operations = {
  check: {
    args: '<file>',
    purpose: 'checks a file',
    failure: 'The file was not checked',
    run: ({ print, warn }, [file = '']) => {
      print(`Checking ${file}`);
      if (file.startsWith('old')) warn('It is old.');
      if (file.startsWith('bad')) throw new OperationError(`The file ${file} is damaged.`);
      return Promise.resolve(`Checked ${file}.`);
    },
  },
};

/** Runs the program. @returns its status, and what it wrote to standard output and to standard error. */
async function run(...args: string[]): Promise<[status: number, stdout: string, stderr: string]> {
  const written = { stdout: '', stderr: '' };
  const to = (name: keyof typeof written) => ({ write: (text: string) => void (written[name] += text) });
  const output = { stdout: to('stdout'), stderr: to('stderr') };
  const status = await runProgram(operations, args, output, (terminal) => terminal as OperationContext);
  return [status, written.stdout, written.stderr];
}

describe('A program of operations', () => {
  it('prints its result and its progress', async () => {
    expect(await run('check', 'a.jsonl')).toEqual([0, 'Checked a.jsonl.\n', 'Checking a.jsonl\n']);
  });

  it('ends with status 3 after a warning', async () => {
    expect(await run('check', 'old.jsonl')).toEqual([3, 'Checked old.jsonl.\n', 'Checking old.jsonl\nIt is old.\n']);
  });

  it('escapes control characters in a file name', async () => {
    const shown = 'bad\\u001b[2J\\u000aChecked.';
    expect(await run('check', 'bad\u001b[2J\nChecked.')).toEqual([
      1,
      '',
      `Checking ${shown}\nThe file ${shown} is damaged.\n`,
    ]);
    expect(await run('check', 'a\u009b\r')).toEqual([0, 'Checked a\\u009b\\u000d.\n', 'Checking a\\u009b\\u000d\n']);
    const [status, , stderr] = await run('\u001b]0;x\u0007');
    expect([status, stderr]).toEqual([2, expect.stringContaining('"\\u001b]0;x\\u0007"')]);
  });

  it('keeps the lines of its help', async () => {
    const [status, stdout] = await run('help');
    expect([status, stdout.split('\n').length]).toEqual([0, 3]);
  });
});
