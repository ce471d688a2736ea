import 'reflect-metadata';

import { loadConfig } from './config/load-config.js';
import { readEnvironment } from './config/read-environment.js';
import { failStart } from './process/fail-start.js';
import { AdminCommandError } from './users/administration/admin-command.js';
import { runAdmin } from './users/administration/run-admin.js';

try {
  await runAdmin(process.argv.slice(2), loadConfig(readEnvironment()));
} catch (error) {
  if (!(error instanceof AdminCommandError)) failStart(error);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
