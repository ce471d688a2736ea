import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import type { Database } from '../../data/database/database.js';
import { openDatabase } from '../../data/opening/open-database.js';
import type { Operation, OperationContext } from '../operation.js';

const GENERATE = '--generate';

export const PASSWORD_ARGS = `<username> [${GENERATE}]`;

/** The password is prompted for, read from standard input, or generated and printed. */
export function withPassword(
  work: (context: OperationContext, database: Database, username: string, password: string) => Promise<string>,
): Operation['run'] {
  const run = async (context: OperationContext, username: string, generate: boolean): Promise<string> => {
    const { stdin: input, stderr: output } = process;
    const { password, generated } = await readPassword({ input, output, generate });
    const database = await openDatabase(context.database, context.schema);
    try {
      const done = await work(context, database, username, password);
      return generated ? `${done}\nPassword (shown only this once): ${password}` : done;
    } finally {
      await database.close();
    }
  };
  return (context, args) => {
    const [username, ...rest] = args.filter((arg) => arg !== GENERATE);
    if (username === undefined || rest.length > 0) return undefined;
    return run(context, username, args.includes(GENERATE));
  };
}

const GENERATED_BYTES = 24;

interface PasswordSource {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly generate: boolean;
}

interface ReadPassword {
  readonly password: string;
  readonly generated: boolean;
}

/** Reads a silent prompt, or the first line of standard input; generates a password if that is empty. */
async function readPassword({ input, output, generate }: PasswordSource): Promise<ReadPassword> {
  const given = generate ? '' : await (input.isTTY ? prompt(input, output) : firstLine(input));
  if (given !== '') return { password: given, generated: false };
  return { password: randomBytes(GENERATED_BYTES).toString('base64url'), generated: true };
}

async function prompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<string> {
  output.write('Password (nothing is shown; leave it empty to have one made): ');
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const terminal = createInterface({ input, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    output.write('\n');
  }
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  return '';
}
