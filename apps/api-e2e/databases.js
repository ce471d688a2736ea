/**
 * Jest projects of the black box tests: one for each database, on an app that the tests start; or one for the service
 * that BASE_URL names. E2E_DATABASES=sqlite runs a part.
 */
export const databases = process.env.BASE_URL ? ['given'] : chosen();

function chosen() {
  const wanted = (process.env.E2E_DATABASES ?? 'sqlite,postgres').split(',');
  // If empty, the search for servers found no PostgreSQL. If absent, there was no search yet.
  return process.env.TEST_POSTGRES_URL === '' ? wanted.filter((name) => name !== 'postgres') : wanted;
}
