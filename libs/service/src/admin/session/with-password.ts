import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import type { Database } from '../../data/database/database.js';
import type { Operation, OperationContext } from '../operation.js';
import { withDatabase } from './with-database.js';

const GENERATE = '--generate';
const GENERATED_BYTES = 24;

export const PASSWORD_ARGS = `<username> [${GENERATE}]`;

/**
 * Prompts for the password, or reads it from standard input. Generates and prints a password for empty input and with
 * `--generate`.
 */
export function withPassword(
  work: (context: OperationContext, database: Database, username: string, password: string) => Promise<string>,
): Operation['run'] {
  const run = async (context: OperationContext, username: string, generate: boolean): Promise<string> => {
    const given = generate ? '' : await readPassword();
    const password = given === '' ? randomBytes(GENERATED_BYTES).toString('base64url') : given;
    const done = await withDatabase(context, (database) => work(context, database, username, password));
    return given === '' ? `${done}\nPassword (shown only this once): ${password}` : done;
  };
  return (context, args) => {
    const [username, ...rest] = args.filter((arg) => arg !== GENERATE);
    if (username === undefined || rest.length > 0) return undefined;
    return run(context, username, args.includes(GENERATE));
  };
}

async function readPassword(): Promise<string> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY) return firstLine(input);
  output.write('Password (nothing is shown; leave it empty to generate one): ');
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
