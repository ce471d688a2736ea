import { backUp, verifyBackup } from './backup/backup.js';
import type { TeamTables } from './backup/contents.js';
import { check } from './check/check.js';
import { copy } from './copy/copy.js';
import { switchMaintenance } from './maintenance.js';
import { migrate } from './migrate.js';
import { OperationError } from './session/operation-error.js';
import type { OperationContext, Operations } from './operation.js';
import { recountAll } from './recount/recount-all.js';
import { restore } from './restore/restore.js';
import { exportFile } from './import-export/export.js';
import { importFile } from './import-export/import.js';
import type { Transferable } from './import-export/transferable.js';

export const operations: Operations = {
  check: {
    args: '[--json]',
    purpose: 'checks whether all is well, and prints what to do; exit status 0, 1 (a warning) or 2 (an error)',
    failure: 'Nothing was checked',
    run: check,
  },
  backup: {
    args: '<file> [--only-service | --include <table>,…] | --verify <file>',
    purpose: 'writes all data to a new file, while the service runs; or reads through a backup',
    failure: 'The backup was not made',
    run: (context, [file, ...options]) => {
      if (file === '--verify') return withOne(options, verifyBackup);
      const teamTables = teamTablesOf(options);
      if (file === undefined || teamTables === undefined) return undefined;
      return audited(context, 'backup_made', backUp(context, file, teamTables), { file });
    },
  },
  restore: {
    args: '<file>',
    purpose: 'puts a backup in the place of all data; stop the service first',
    failure: 'The backup was not restored, and the database is unchanged',
    run: (context, args) =>
      withOne(args, (file) =>
        audited(context, 'backup_restored', restore(context.database, context.schema, file), { file }),
      ),
  },
  copy: {
    args: '--to <postgres://…>|sqlite:<file>',
    purpose: 'copies all data from SQLite to PostgreSQL (stop the service first), or from PostgreSQL to a new file',
    failure: 'The copy is not complete; the same command continues it',
    run: (context, [option, ...args]) =>
      option !== '--to' ? undefined : withOne(args, (url) => audited(context, 'database_copied', copy(context, url))),
  },
  export: {
    args: '<collection> <file>|-',
    purpose: 'writes a collection to a new file, a line of JSON each, while the service runs',
    failure: 'The export was not made',
    run: (context, args) =>
      withTwo(args, async (name, file) => {
        const work = exportFile({ ...context, output: process.stdout }, collectionOf(context, name), file);
        const done = await audited(context, 'collection_exported', work, { collection: name });
        if (file !== '-') return done;
        // Print to standard error: standard output contains only the exported lines.
        context.print(done);
        return '';
      }),
  },
  import: {
    args: '<collection> <file>|-',
    purpose: 'adds exported lines to a collection, by the rules of POST; continues an interrupted import',
    failure: 'The import is not complete',
    run: (context, args) =>
      withTwo(args, async (name, file) => {
        const work = importFile({ ...context, openInput: () => process.stdin }, collectionOf(context, name), file);
        return audited(context, 'collection_imported', work, { collection: name });
      }),
  },
  recount: {
    args: '',
    purpose: 'counts all rows, and corrects wrong totals, while the service runs',
    failure: 'Not all totals were corrected; the same command continues',
    run: (context, args) => (args.length > 0 ? undefined : recountAll(context)),
  },
  migrate: {
    args: '[--dry-run | status]',
    purpose: 'runs the pending migrations, or only lists them',
    failure: 'The database was not migrated',
    run: migrate,
  },
  maintenance: {
    args: 'on <seconds> | off',
    purpose: 'turns maintenance on or off: all instances respond with 503',
    failure: 'Maintenance was not switched',
    run: switchMaintenance,
  },
};

async function audited(
  { audit }: OperationContext,
  event: string,
  work: Promise<string>,
  details: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const done = await work;
  audit(event, null, details);
  return done;
}

function teamTablesOf([option, tables, ...more]: readonly string[]): TeamTables | undefined {
  if (option === undefined) return { onlyService: false, include: [] };
  if (option === '--only-service' && tables === undefined) return { onlyService: true, include: [] };
  const include = tables?.split(',').filter((name) => name !== '') ?? [];
  return option === '--include' && include.length > 0 && more.length === 0
    ? { onlyService: false, include: [...new Set(include)] }
    : undefined;
}

function collectionOf({ collections }: OperationContext, name: string): Transferable {
  const found = collections.find((collection) => collection.name === name);
  if (found !== undefined) return found;
  const known = collections.map((collection) => collection.name).join(', ');
  throw new OperationError(`There is no collection "${name}" to export or import; there are ${known}.`);
}

function withOne(args: readonly string[], work: (arg: string) => Promise<string>): Promise<string> | undefined {
  const [arg, ...more] = args;
  return arg === undefined || more.length > 0 ? undefined : work(arg);
}

function withTwo(
  args: readonly string[],
  work: (first: string, second: string) => Promise<string>,
): Promise<string> | undefined {
  const [first, second, ...more] = args;
  return first === undefined || second === undefined || more.length > 0 ? undefined : work(first, second);
}
