/** The areas of libs/service/src from bottom to top. An area imports only earlier areas of this list, types included. */
const areas = ['data', 'feed', 'http', 'runtime', 'document', 'access', 'webhooks', 'admin', 'service'];
/** The folder of a feature. Other features import only its service, module or collection. */
const feature = '^libs/service/src/(access/(?:api-keys|users|oauth)|webhooks/routes)/';
const spec = '\\.(spec|testing)\\.ts$';

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move the code that two files need from each other into a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-apart',
      comment:
        'A feature imports only the service, module or collection of another feature. All other files are private to it.',
      severity: 'error',
      from: { path: feature, pathNot: spec },
      to: { path: feature, pathNot: ['^libs/service/src/$1/', '\\.(service|module|collection)\\.ts$'] },
    },
    ...areas.map((area, index) => ({
      name: 'areas-import-lower-areas',
      comment: 'An area imports only areas below it: move shared code down, or inject it.',
      severity: 'error',
      from: { path: `^libs/service/src/${area}/`, pathNot: spec },
      to: { path: `^libs/service/src/(?!(?:${areas.slice(0, index + 1).join('|')})/)` },
    })),
    {
      name: 'edge-imports-no-database',
      comment:
        'The edge serves any Fastify application and reads no rows. It may import caching, fairness keys, the format of ids and the error of a refused start.',
      severity: 'error',
      from: { path: '^libs/service/src/http/(?!nest/)', pathNot: spec },
      to: { path: '^libs/service/src/(data/(?!(?:caching|fairness)/|schema/row-id|definition/start-refused)|feed/)' },
    },
    {
      name: 'controllers-use-services',
      comment: 'A controller lists endpoints; rows and transactions belong into its service.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^libs/service/src/service/health/' },
      to: {
        path: ['^libs/service/src/data/(sqlite|postgres|opening)/', '(^|/)node_modules/(typeorm|pg|ioredis)/'],
      },
    },
    {
      name: 'services-import-no-http',
      comment: 'A service works for every caller: requests, responses and routes belong into the controller.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: { path: ['\\.controller\\.ts$', '(^|/)node_modules/(fastify|@nestjs/platform-fastify)/'] },
    },
    {
      name: 'definitions-import-no-callers',
      comment: 'The definition of a collection does not depend on the caller.',
      severity: 'error',
      from: { path: '\\.collection\\.ts$' },
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
      comment: 'Only the store imports drivers, and the commands of `admin`, which copy whole databases.',
      severity: 'error',
      from: {
        path: '^(apps/api|libs/service)/src/',
        pathNot: [spec, '^libs/service/src/(data|admin|service/testing)/'],
      },
      to: { path: ['^libs/service/src/data/sqlite/', '(^|/)node_modules/pg/'] },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'Shipped code imports no specs and no test code.',
      severity: 'error',
      from: { path: ['^apps/api/src/', '^libs/(?!testing/)'], pathNot: spec },
      to: { path: [spec, '^libs/testing/'] },
    },
    {
      name: 'types-without-classes',
      comment:
        'Clients and the feed import only the types of the contract, because the classes depend on class-validator.',
      severity: 'error',
      from: { path: '^libs/(client/src|service/src/feed)/' },
      to: { path: '^libs/dtos/src/(?!contract/)' },
    },
    {
      name: 'contract-imports-conventions-only',
      comment: 'The client inlines the types and lists of the contract, so these import only the conventions.',
      severity: 'error',
      from: { path: '^libs/dtos/src/contract/', pathNot: spec },
      to: { path: ['^libs/(?!(?:conventions|dtos/src/contract)/)', '(^|/)node_modules/'] },
    },
    {
      name: 'no-catch-all-names',
      comment: 'A file of this name collects unrelated code: name it after its purpose.',
      severity: 'error',
      from: {},
      to: { path: '^(apps|libs)/.*/(utils?|common|helpers?)(/|\\.ts$)' },
    },
    {
      name: 'no-unresolvable',
      comment: 'The other rules do not check an import that cannot be resolved.',
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
