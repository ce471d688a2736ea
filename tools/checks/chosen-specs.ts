/** Specs with a long variant. */
export const attacks = ['running/broken-connections', 'waiting/', 'user-enumeration'];
/** The only spec of `attacks` that has no short variant. */
export const waitingAtLength = ['waiting/waiting.spec'];
/**
 * Specs that run a service as an operator does, or that start a browser, many processes or code generators. Excludes
 * `broken-connections`, whose short variant runs in `npm test`.
 */
export const operations = [
  'running/(?!broken-connections)',
  'docs-page',
  '5-oauth/browser',
  'generated-clients',
  'walks-over-instances',
  'webhooks-over-',
  'many-waits',
];
/** The only spec in `histories/` with a short variant. It has its own check. */
export const histories = ['histories/instances'];
export const historiesAtLength = [...histories, 'histories/standbys', 'histories/mutants'];
/** Browser specs of replicas, run one at a time. */
export const replicas = ['src/replica/'];
export const consoles = ['src/console/'];
/** The spec of `examples/mcp`, which uses both databases. */
export const agents = ['src/mcp/'];

/** Returns the arguments of Jest that skip specs. */
export const without = (specs: readonly string[]) => specs.map((spec) => `--testPathIgnorePatterns=${spec}`);
export const blackBox = ['-c', 'apps/api-e2e/jest.config.js'];
/** Black box specs that `npm test` runs, except `histories`. */
export const shortBlackBox = [
  ...blackBox,
  ...without([...operations, ...historiesAtLength, ...consoles, ...replicas, ...agents, ...waitingAtLength]),
];

export const longUnits = [
  'interrupted-backup',
  'interrupted-start',
  'failed-start',
  'admin/backup/own-tables',
  'admin/copy/',
  'admin/restore/',
  'standby-reads.spec',
  'missing-migration',
  'service/older-backups',
  'service/src/data/postgres/pooler',
  'bounded-reads',
  'bounded-ranges',
  'page-bytes',
  'feed/testing/many-events',
  'oauth/parameters',
  'limits-of-a-user',
  'limits-of-application-keys',
  'quota-of-ending-access',
  'upgrades/recorded-releases',
  'conformance/src/faults',
  'conformance/src/seed-profile',
  'client/src/replica/mutants',
  'client/src/replica/service',
  'client/src/tanstack-db',
  'data/database/one-slow-statement',
  'data/database/slow-reads',
  'service/edge/certificate-watch',
  'upgrades/older-databases',
  'webhooks/dispatch/failing',
  'workspace/dev.spec',
];
/** Other unit specs that have a long variant; `npm test` runs the short one. */
export const unitsAtLength = [
  'conformance/src/wrong-services',
  'throttling/src/redis-link',
  'feed/event-partitions',
  'data/testing/walks',
  'feed/testing/feed',
];
/** The unit spec whose long variant uses one processor for minutes. */
export const simulations = ['replica/simulation'];
/** Unit specs of `npm test -- --quick`. With the type check and the rules for changed files, they take one minute. */
export const quickUnits = [
  ...['conventions', 'dtos', 'fields', 'paging'].map((lib) => `libs/${lib}/`),
  ...['http/body', 'http/request', 'http/scheduling', 'data/database'].map((folder) => `libs/service/src/${folder}/`),
];
export const quickEndToEnd = ['2-items', '7-errors'];
