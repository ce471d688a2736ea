import type { TestDatabaseConfig } from '@items/testing';

import type { ServiceOptions } from '../../index.js';
import { runAdmin } from '../admin.js';

/**
 * Runs a command of `npm run admin` on the database of a test.
 * @returns Its output, without log lines.
 */
export async function runAdminCommand(
  database: TestDatabaseConfig,
  service: Omit<ServiceOptions, 'settings'>,
  ...args: string[]
): Promise<string> {
  const { argv, exitCode } = process;
  const DATABASE_URL = database.dialect === 'postgres' ? database.url : `sqlite:${database.file}`;
  process.argv = ['node', 'admin.js', ...args];
  const written: string[] = [];
  const take = (text: unknown): boolean => written.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(take));
  try {
    await runAdmin({ ...service, settings: { DATABASE_URL, ADMIN_API_KEY: 'k'.repeat(32) } });
    return written.filter((text) => !text.startsWith('{')).join('');
  } finally {
    for (const spy of spies) spy.mockRestore();
    Object.assign(process, { argv, exitCode });
  }
}
