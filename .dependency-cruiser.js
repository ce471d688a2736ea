/** The areas of libs/service/src, from the bottom. An area imports only areas before it in this list, types included. */
const areas = ['data', 'feed', 'http', 'runtime', 'document', 'access', 'webhooks', 'admin', 'service'];
/** The folder of one kind of resource, which other such folders use only through its service, module or collection. */
const feature = '^libs/service/src/(access/(?:api-keys|users|oauth)|webhooks/routes)/';
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
      name: 'features-apart',
      comment:
        "A feature uses of another one only what its module exports, and the definition by which that is injected: the rest is that feature's own.",
      severity: 'error',
      from: { path: feature, pathNot: spec },
      to: { path: feature, pathNot: ['^libs/service/src/$1/', '\\.(service|module|collection)\\.ts$'] },
    },
    ...areas.map((area, index) => ({
      name: 'arrows-point-down',
      comment: 'An area imports only areas below it: move what both need down, or pass it in.',
      severity: 'error',
      from: { path: `^libs/service/src/${area}/`, pathNot: spec },
      to: { path: `^libs/service/src/(?!(?:${areas.slice(0, index + 1).join('|')})/)` },
    })),
    {
      name: 'edge-knows-no-database',
      comment:
        'The edge serves any application of Fastify: it reads no rows. Caches, fairness keys, the form of ids and the refusal of a start are shared.',
      severity: 'error',
      from: { path: '^libs/service/src/http/(?!nest/)', pathNot: spec },
      to: { path: '^libs/service/src/(data/(?!(?:caching|fairness)/|schema/row-id|definition/start-refused)|feed/)' },
    },
    {
      name: 'controller-asks-the-service',
      comment: 'A controller reads as the table of endpoints; rows and transactions are below it.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^libs/service/src/service/health/' },
      to: {
        path: ['^libs/service/src/data/(sqlite|postgres|opening)/', '(^|/)node_modules/(typeorm|pg|ioredis)/'],
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
      to: {
        path: [
          '\\.(controller|service)\\.ts$',
          '^libs/service/src/(access/exchange|service/edge)/',
          '(^|/)node_modules/fastify/',
        ],
      },
    },
    {
      name: 'drivers-only-in-store',
      comment: 'The store alone knows that there are two databases, and operations, which copy whole ones.',
      severity: 'error',
      from: {
        path: '^(apps/api|libs/service)/src/',
        pathNot: [spec, '^libs/service/src/(data|admin|service/testing)/'],
      },
      to: { path: ['^libs/service/src/data/sqlite/', '(^|/)node_modules/(better-sqlite3|pg)/'] },
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
      from: { path: '^libs/(client/src|service/src/feed)/' },
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
