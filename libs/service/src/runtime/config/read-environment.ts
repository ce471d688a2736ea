import { existsSync } from 'node:fs';

/** The environment, extended by the `.env` of the working directory. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
