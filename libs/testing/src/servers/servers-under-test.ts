/**
 * The PostgreSQL server of this test run, as Jest's global set-up recorded it. Without one, its tests are skipped
 * (`describe.skip`), and the summary says why.
 */
export function postgresUnderTest(): string | undefined {
  return process.env['TEST_POSTGRES_URL'] || undefined;
}

/** The Redis server of this test run. */
export function redisUnderTest(): string | undefined {
  return process.env['TEST_REDIS_URL'] || undefined;
}
