import { existsSync } from 'node:fs';

/** The environment, completed by the `.env` of the working directory where there is one. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
