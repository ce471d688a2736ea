import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { workspacePath } from './bench/server-process.js';

/**
 * `npm run tool -- check-replicas`: two instances with a standby that pauses, is killed and takes the primary's place; 10 000 reads
 * beside writes, each compared with what its reader has written.
 */
const { values: options } = parseArgs({ options: { reads: { type: 'string', default: '10000' } } });

const jest = [workspacePath('node_modules/jest/bin/jest.js'), '--verbose', 'src/running/replicas'];
const { status } = spawnSync(process.execPath, jest, {
  cwd: workspacePath('apps/api-e2e'),
  env: { ...process.env, E2E_DATABASES: 'sqlite', CHECK_REPLICA_READS: options.reads },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
