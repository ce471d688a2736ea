import 'reflect-metadata';

import { isOperation, OperationError, runOperation } from '@items/operations';

import { loadConfig } from './config/load-config.js';
import { readEnvironment } from './config/read-environment.js';
import { openServiceDatabase } from './open-service-database.js';
import { failStart } from './process/fail-start.js';
import { schema } from './schema.js';
import { AdminCommandError } from './users/administration/admin-command.js';
import { runAdmin } from './users/administration/run-admin.js';

/** Progress, apart from what was done. */
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  const { database, events } = loadConfig(readEnvironment());
  const [name = '', ...args] = process.argv.slice(2);
  if (isOperation(name)) process.stdout.write(`${await runOperation(name, args, { database, schema, tell })}\n`);
  else await runAdmin([name, ...args], () => openServiceDatabase(database), events);
} catch (error) {
  if (!(error instanceof AdminCommandError || error instanceof OperationError)) failStart(error);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
