/** Specs with a long variant. */
export const attacks = ['running/broken-connections', 'waiting/', 'user-enumeration'];
/** The spec of this group without a short variant. */
export const waitingAtLength = ['waiting/waiting.spec'];
/** The slowest specs: they start processes or a browser, or wait for leases and timers. */
export const operations = [
  'docs-page',
  'running/metrics',
  'running/health-port',
  'running/overload',
  'running/admin-',
  'running/maintenance',
  'running/last-resort',
  'running/pooler',
  'running/replicas',
  'running/reuse-port',
  'running/sentinels',
  'running/slow-start',
  'running/database-outage',
  'webhooks-over-',
  'many-waits',
];
/** Slow unit specs in the folders of their code. */
export const longUnits = [
  'interrupted-backup',
  'interrupted-start',
  'copy-down',
  'read-replicas.spec',
  'missing-migration',
  'service/src/data/postgres/pooler',
  'bounded-reads',
  'bounded-ranges',
  'feed/testing/many-events',
  'conformance/src/faults',
  'conformance/src/seed-profile',
];
/** Other unit specs with a long variant. `npm test` runs the short one. */
export const unitsAtLength = [
  'throttling/src/redis-link',
  'feed/event-partitions',
  'data/testing/walks',
  'feed/testing/feed',
  'replica/simulation',
  'replica/service',
];
/**
 * Unit specs of `npm test -- --quick`, which runs them with the type check and the rules for changed files: one minute
 * in total.
 */
export const quickUnits = [
  ...['conventions', 'dtos', 'fields', 'paging'].map((lib) => `libs/${lib}/`),
  ...['http/body', 'http/request', 'http/scheduling', 'data/database'].map((folder) => `libs/service/src/${folder}/`),
];
export const quickEndToEnd = ['2-items', '7-errors'];
