export { createDatabase } from './postgres/create-database.js';
export { providePostgres } from './postgres/provide-postgres.js';
export { provideRedis } from './servers/provide-redis.js';
export type { ProvidedServer } from './servers/provided-server.js';
