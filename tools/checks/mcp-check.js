import { failedOnce, passedOnce } from './outcome.ts';

/**
 * Checks that agents can use the service over MCP, on both databases.
 * @param {string} postgres address of a server, or empty.
 * @returns {import('./outcome.ts').Check}
 */
export function mcpCheck(postgres) {
  return {
    name: 'mcp',
    title: 'The example for agents',
    isLong: true,
    run: async () => {
      const { checkMcp, checkMcpWithOtherCollections } = await import('../mcp/check-mcp.js');
      try {
        await checkMcp({ database: 'sqlite' });
        await checkMcpWithOtherCollections();
        if (postgres === '') return { ...passedOnce, notes: ['not tried on PostgreSQL: there is no server'] };
        const { createDatabase } = await import('@items/testing');
        const own = await createDatabase(postgres);
        try {
          await checkMcp({ database: 'postgres', databaseUrl: own.url });
        } finally {
          await own.drop();
        }
        return passedOnce;
      } catch (error) {
        console.error(error);
        return failedOnce;
      }
    },
  };
}
