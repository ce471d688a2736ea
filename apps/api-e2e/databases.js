/**
 * Jest projects of the black box tests: one for each database, on an app that the tests start, or one for the service
 * at BASE_URL. `E2E_DATABASES=sqlite` selects databases.
 */
export const databases = process.env.BASE_URL ? ['given'] : chosen();

function chosen() {
  const wanted = (process.env.E2E_DATABASES ?? 'sqlite,postgres').split(',');
  // Empty: the search for servers found no PostgreSQL. Absent: there was no search yet.
  return process.env.TEST_POSTGRES_URL === '' ? wanted.filter((name) => name !== 'postgres') : wanted;
}
