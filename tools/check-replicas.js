import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { workspacePath } from './workspace/root.ts';

/**
 * `npm run tool -- check-replicas`: two instances use a standby that pauses, is killed, and replaces the primary.
 * Compares 10 000 reads during writes with the writes of the same client.
 */
const { values: options } = parseArgs({ options: { reads: { type: 'string', default: '10000' } } });

const jest = [workspacePath('node_modules/jest/bin/jest.js'), '--verbose', 'src/running/replicas'];
const { status } = spawnSync(process.execPath, jest, {
  cwd: workspacePath('apps/api-e2e'),
  env: { ...process.env, E2E_DATABASES: 'sqlite', CHECK_REPLICA_READS: options.reads },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
