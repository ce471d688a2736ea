/**
 * The PostgreSQL server that this test run found or started, as Jest's global set-up recorded it; undefined where
 * there is none: its tests are then skipped (`describe.skip`), and the summary says why.
 */
export function postgresUnderTest(): string | undefined {
  return process.env['TEST_POSTGRES_URL'] || undefined;
}

/** The Redis server that this test run found; undefined where there is none. */
export function redisUnderTest(): string | undefined {
  return process.env['TEST_REDIS_URL'] || undefined;
}
