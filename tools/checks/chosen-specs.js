/** Specs that have a long form. */
export const attacks = ['running/broken-connections', 'waiting/', 'user-enumeration'];
/** One of them that has no short form. */
export const waitingAtLength = ['waiting/waiting.spec'];
/** Specs that start processes or a browser, or wait for leases and timers, for longer than all others. */
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
/** Others of the kind, beside the code that they are about. */
export const longUnits = [
  'interrupted-backup',
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
/** Others beside the code that have a long form; `npm test` runs their short one. */
export const unitsAtLength = [
  'throttling/src/redis-link',
  'feed/event-partitions',
  'data/testing/walks',
  'feed/testing/feed',
  'replica/simulation',
  'replica/service',
];
/** What `npm test -- --quick` runs beside the types and the rules for what has changed: a minute in all. */
export const quickUnits = [
  ...['conventions', 'dtos', 'fields', 'paging'].map((lib) => `libs/${lib}/`),
  ...['http/body', 'http/request', 'http/scheduling', 'data/database'].map((folder) => `libs/service/src/${folder}/`),
];
export const quickEndToEnd = ['2-items', '7-errors'];
