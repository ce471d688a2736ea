/**
 * What the black box tests run against, one Jest project each: every database that the service supports, on an app
 * that the tests start; or the one service that BASE_URL names. E2E_DATABASES=sqlite runs a part.
 */
export const databases = process.env.BASE_URL ? ['given'] : chosen();

function chosen() {
  const wanted = (process.env.E2E_DATABASES ?? 'sqlite,postgres').split(',');
  // Empty, not absent: the servers were looked for before, and there are none.
  return process.env.TEST_POSTGRES_URL === '' ? wanted.filter((name) => name !== 'postgres') : wanted;
}
