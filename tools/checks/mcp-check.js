import { failedOnce, passedOnce } from './outcome.js';

/** @type {(postgres: string) => import('./outcome.js').Check} */
export const mcpCheck = (postgres) => ({
  name: 'mcp',
  title: 'The example for agents',
  isLong: true,
  run: async () => {
    const { checkMcp } = await import('../mcp/check-mcp.js');
    try {
      await checkMcp('sqlite');
      if (postgres === '') console.log('Not tried on PostgreSQL: there is no server.');
      else await checkMcp('postgres');
      return passedOnce;
    } catch (error) {
      console.error(error);
      return failedOnce;
    }
  },
});
