/**
 * The layers inside libs/service, which Nx sees as one project: what stands further down knows nothing of what stands above
 * it, types included. Every other folder is a feature, so that a new collection falls under the rules by itself.
 */
const layers = [
  'store',
  'collections',
  'events',
  'edge',
  'nest',
  'openapi',
  'errors',
  'caching',
  'settings',
  'pages',
  'passwords',
  'logging',
  'tracing',
  'supervision',
  'health-server',
  'outside-tokens',
  'metrics',
  'credentials',
  'operations',
  'versions',
  'principal',
  'config',
  'composition',
  'migrations',
  'database',
  'throttling',
  'accounts',
  'service-edge',
  'auth',
  'api-document',
  'health',
  'composed-collections',
];
const feature = `^libs/service/src/(?!(?:${layers.join('|')}|process)/)([^/]+)/`;
const spec = '\\.(spec|testing)\\.ts$';

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
      name: 'no-cycle-of-folders',
      comment:
        'Two folders that need each other are one: what both need belongs into a third. Types count, and so do specs.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps/api|libs/[^/]+)/src(/|$)' },
      to: { circular: true },
    },
    {
      name: 'features-apart',
      comment:
        "A feature uses of another one only what its module exports, and the definition by which that is injected: the rest is that feature's own.",
      severity: 'error',
      from: { path: feature, pathNot: spec },
      to: { path: feature, pathNot: ['^libs/service/src/$1/', '\\.(service|module|collection)\\.ts$'] },
    },
    ...layers.map((layer, place) => ({
      name: 'arrows-point-down',
      comment: 'The list of layers says what may know what: move what is shared down, or hand it over.',
      severity: 'error',
      from: { path: `^libs/service/src/${layer}/`, pathNot: spec },
      to: { path: `^libs/service/src/(?!(?:${layers.slice(0, place + 1).join('|')})/)[^/]+/` },
    })),
    {
      name: 'edge-knows-no-database',
      comment: 'The edge serves any application of Fastify: what it needs to know of members comes from above.',
      severity: 'error',
      from: { path: '^libs/service/src/edge/', pathNot: spec },
      to: { path: '^libs/service/src/(store|collections|events)/' },
    },
    {
      name: 'controller-asks-the-service',
      comment: 'A controller reads as the table of endpoints; rows and transactions are below it.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^libs/service/src/health/' },
      to: {
        path: [
          '^libs/service/src/database/',
          '^libs/service/src/store/sqlite/',
          '(^|/)node_modules/(typeorm|pg|ioredis)/',
        ],
      },
    },
    {
      name: 'service-knows-no-http',
      comment: 'What a service does holds for every caller: requests, answers and routes stay in the controller.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['\\.controller\\.ts$', '(^|/)node_modules/(fastify|@nestjs/platform-fastify)/'] },
    },
    {
      name: 'collection-asks-nothing-above',
      comment: 'What a collection says about itself does not depend on the caller.',
      severity: 'error',
      from: { path: '\\.(collection|entity)\\.ts$' },
      to: { path: ['\\.(controller|service)\\.ts$', '^libs/service/src/service-edge/', '(^|/)node_modules/fastify/'] },
    },
    {
      name: 'drivers-only-in-store',
      comment: 'The store alone knows that there are two databases, and operations, which copy whole ones.',
      severity: 'error',
      from: { path: '^(apps/api|libs/service)/src/', pathNot: [spec, '^libs/service/src/(store|operations)/'] },
      to: { path: ['^libs/service/src/store/sqlite/', '(^|/)node_modules/(better-sqlite3|pg)/'] },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'Specs and what they share are not shipped.',
      severity: 'error',
      from: { path: ['^apps/api/src/', '^libs/(?!testing/)'], pathNot: spec },
      to: { path: [spec, '^libs/testing/'] },
    },
    {
      name: 'types-without-classes',
      comment:
        'Who calls a service, or stores its rows, needs the types of the contract: the classes bring class-validator.',
      severity: 'error',
      from: { path: '^libs/(client/src|service/src/events)/' },
      to: { path: '^libs/dtos/src/(?!contract/)' },
    },
    {
      name: 'contract-stands-alone',
      comment:
        'The types and lists of the contract are inlined into the client: they know the conventions, and nothing else.',
      severity: 'error',
      from: { path: '^libs/dtos/src/contract/', pathNot: spec },
      to: { path: ['^libs/(?!(?:conventions|dtos/src/contract)/)', '(^|/)node_modules/'] },
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
