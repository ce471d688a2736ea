import { prepare } from './workspace/build.ts';

/* `npm run seed`: adds demo data to the service at BASE_URL, with the key ADMIN_API_KEY. */
const { BASE_URL: baseUrl = 'http://localhost:3000', ADMIN_API_KEY: apiKey } = process.env;
try {
  if (!apiKey) throw new Error('Set ADMIN_API_KEY to the key that the first start of the service has printed.');
  await prepare('run');
  const { createClient, ItemsNetworkError } = await import('@items/client');
  const { seed } = await import('./seed/seed.ts');
  // Do not retry a stopped service, because a user waits at the terminal.
  const retry = { attempts: 1 };
  await seed(createClient({ baseUrl, auth: { apiKey }, userAgent: 'items-seed/1.0', retry }), console.log).catch(
    (error) => {
      if (!(error instanceof ItemsNetworkError)) throw error;
      throw new Error(`No service responds at ${baseUrl}. Start one with npm start, or set BASE_URL to its address.`);
    },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
