import { existsSync } from 'node:fs';

/** Returns the environment, extended by the `.env` of the working directory if there is one. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
