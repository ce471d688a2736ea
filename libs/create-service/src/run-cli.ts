import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { createService, type CreateServiceOptions } from './create-service.js';
import { CreateServiceError } from './names-of.js';

const USAGE = `Usage: npm create @items/service <folder> -- [options]

  --database sqlite|postgres   database in .env.example; default: sqlite
  --collection NAME            the first collection, a plural; default: books
  --no-git                     create no Git repository
  --yes                        ask nothing
`;

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Asks for missing options only on a terminal. @returns the exit status. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const { output } = terminal;
  try {
    const { folder, yes, ...given } = optionsOf(args);
    const isAsking = !yes && terminal.input.isTTY === true && output.isTTY === true;
    const files = createService(folder, isAsking ? await askFor(given, terminal) : given);
    output.write(`Created ${folder} with ${files.join(', ')}.

Next:
  cd ${folder}
  npm install
  npm test
  npm run dev
`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}${USAGE}`);
      return 2;
    }
    if (!(error instanceof CreateServiceError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

class UsageError extends Error {}

function optionsOf(args: readonly string[]): CreateServiceOptions & { readonly folder: string; readonly yes: boolean } {
  const { values, positionals } = parsed(args);
  const [folder, second] = positionals;
  if (folder === undefined || second !== undefined) throw new UsageError();
  const { database, ...options } = values;
  if (database === undefined) return { folder, ...options };
  if (isDatabase(database)) return { folder, ...options, database };
  throw new UsageError(`--database must be sqlite or postgres, not "${database}".\n\n`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        database: { type: 'string' },
        collection: { type: 'string' },
        git: { type: 'boolean', default: true },
        yes: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n`);
  }
}

function isDatabase(text: string): text is 'sqlite' | 'postgres' {
  return text === 'sqlite' || text === 'postgres';
}

/** An empty line selects the default. */
async function askFor(given: CreateServiceOptions, { input, output }: Terminal): Promise<CreateServiceOptions> {
  const terminal = createInterface({ input, output });
  try {
    let database = given.database;
    while (database === undefined) {
      const text = (await terminal.question('Database, sqlite or postgres (sqlite): ')).trim() || 'sqlite';
      if (isDatabase(text)) database = text;
    }
    const collection =
      given.collection ?? ((await terminal.question('First collection, a plural (books): ')).trim() || 'books');
    return { ...given, database, collection };
  } finally {
    terminal.close();
  }
}
