import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

const GENERATED_BYTES = 24;

export interface PasswordSource {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly generate: boolean;
}

export interface ReadPassword {
  readonly password: string;
  readonly generated: boolean;
}

/** Reads a silent prompt, or the first line of standard input; generates a password if that is empty. */
export async function readPassword({ input, output, generate }: PasswordSource): Promise<ReadPassword> {
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
