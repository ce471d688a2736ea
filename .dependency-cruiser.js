/**
 * The rules inside apps/api, which Nx sees as one project. Foundations are the folders that every collection stands
 * on; every other folder is a feature, so that a new collection falls under the rules by itself.
 */
const foundations =
  'accounts|auth|background|caching|collections|config|database|health|http|idempotency|logging|migrations|openapi|throttling';
const feature = `^apps/api/src/(?!(?:${foundations})/)([^/]+)/`;
const spec = '\\.(spec|testing)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Arrows point down: what two files need of each other belongs into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-apart',
      comment:
        "A feature uses of another one only the service that its module exports: the rest is that feature's own.",
      severity: 'error',
      from: { path: feature, pathNot: spec },
      to: { path: feature, pathNot: ['^apps/api/src/$1/', '\\.(service|module)\\.ts$'] },
    },
    {
      name: 'foundations-below-features',
      comment: 'What every collection stands on knows none of them; the list of entities is where they are registered.',
      severity: 'error',
      from: { path: `^apps/api/src/(${foundations})/`, pathNot: [spec, '^apps/api/src/database/entities\\.ts$'] },
      to: { path: feature },
    },
    {
      name: 'controller-asks-the-service',
      comment: 'A controller reads as the table of endpoints; rows and transactions are below it.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^apps/api/src/health/' },
      to: { path: ['^apps/api/src/database/', '^libs/sqlite-driver/', '(^|/)node_modules/(typeorm|pg|ioredis)/'] },
    },
    {
      name: 'service-knows-no-http',
      comment: 'What a service does holds for every caller: requests, answers and routes stay in the controller.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['\\.controller\\.ts$', '(^|/)node_modules/(fastify|@nestjs/platform-fastify)/'] },
    },
    {
      name: 'collection-asks-nobody-above',
      comment: 'What a collection says about itself holds for whoever asks.',
      severity: 'error',
      from: { path: '\\.(collection|entity)\\.ts$' },
      to: { path: ['\\.(controller|service)\\.ts$', '^apps/api/src/http/', '(^|/)node_modules/fastify/'] },
    },
    {
      name: 'drivers-only-in-database',
      comment: 'One place knows that there are two databases.',
      severity: 'error',
      from: { path: '^apps/api/src/', pathNot: [spec, '^apps/api/src/database/'] },
      to: { path: ['^libs/sqlite-driver/', '(^|/)node_modules/(better-sqlite3|pg)/'] },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'Specs and what they share are not shipped.',
      severity: 'error',
      from: { path: ['^apps/api/src/', '^libs/(?!testing/)'], pathNot: spec },
      to: { path: [spec, '^libs/testing/'] },
    },
    {
      name: 'a-name-says-what-it-is-for',
      comment: 'A file of this name collects what has nothing in common: name it after what it does.',
      severity: 'error',
      from: {},
      to: { path: '^(apps|libs)/.*/(utils?|common|helpers?)(/|\\.ts$)' },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere would escape every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${import.meta.dirname}/tsconfig.base.json` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@items/source', 'import', 'node', 'default'],
    },
  },
};
