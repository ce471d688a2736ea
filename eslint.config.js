import { readdirSync, readFileSync } from 'node:fs';
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * The folders of the projects that carry a tag, so that a new library is covered by its tag alone.
 * @param {string} tag
 */
function projectsTagged(tag) {
  return readdirSync(new URL('libs/', import.meta.url))
    .map((name) => `libs/${name}`)
    .filter((folder) => {
      const { nx: project } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'));
      return project?.tags?.includes(tag);
    });
}

const specs = ['**/*.spec.ts', '**/*.spec.js', '**/*.testing.ts', 'apps/api-e2e/**/*.ts'];
const scripts = ['**/*.js'];
/** An entry of its own, `@items/fields/nest`, in a lib that runs in browsers too. */
const forNest = 'libs/fields/src/nest/**/*.ts';

/** What a browser bundle cannot hold (`type:*` tags cannot say it for the modules that Node brings). */
const notUniversal = ['node:*', '@nestjs/*', 'typeorm', 'fastify', '@fastify/*', 'passport*', 'reflect-metadata'];

/** What is for those who serve HTTP: the store and the collections know nothing of it. */
const notForServers = ['@nestjs/*', 'fastify', '@fastify/*', 'passport*'];

/** Fastify's edge serves apps that have no Nest. */
const notForEdges = ['@nestjs/*', 'typeorm', 'passport*'];

/** @type {(tag: string, ...allowed: string[]) => object} */
const dependsOn = (tag, ...allowed) => ({
  sourceTag: `type:${tag}`,
  onlyDependOnLibsWithTags: allowed.map((name) => `type:${name}`),
});

const universalOnly = {
  sourceTag: 'runtime:universal',
  onlyDependOnLibsWithTags: ['runtime:universal'],
  bannedExternalImports: notUniversal,
};

/**
 * Arrows point down. Tests may in addition use what only tests share, and they run in Node.
 * @param {string[]} forTests
 * @param {object[]} further
 * @returns {['error', object]}
 */
function boundaries(forTests = [], further = [universalOnly]) {
  const depConstraints = [
    dependsOn('contract', 'contract'),
    dependsOn('util', 'contract', 'util', ...forTests),
    dependsOn('client', 'contract', 'util', 'dto', ...forTests),
    dependsOn('page', 'contract', 'util', 'client', ...forTests),
    dependsOn('dto', 'contract', 'util'),
    dependsOn('nest', 'contract', 'util', 'dto', 'nest', ...forTests),
    dependsOn('app', 'contract', 'util', 'dto', 'nest', ...forTests),
    dependsOn('testing', 'contract', 'util', 'testing'),
    dependsOn('e2e', 'contract', 'util', 'client', 'dto', 'testing'),
    dependsOn('tool', 'contract', 'util', 'client', 'dto', 'nest', 'testing'),
    ...further,
  ];
  // Nothing here is split into chunks: a dynamic import only waits for a build, or saves a start its cost.
  const checkDynamicDependenciesExceptions = ['.*'];
  return [
    'error',
    { enforceBuildableLibDependency: true, allow: [], checkDynamicDependenciesExceptions, depConstraints },
  ];
}

/**
 * @param {readonly string[]} folders of the service. @param {string[]} group of packages. @param {string} message
 */
function withoutImports(folders, group, message) {
  const paths = [{ name: 'node:process', message: environmentSentence }, ...absentHere];
  return {
    files: folders.map((folder) => `libs/service/src/${folder}/**/*.ts`),
    ignores: specs,
    /** @type {import('eslint').Linter.RulesRecord} */
    rules: { 'no-restricted-imports': ['error', { paths, patterns: [{ group, message }] }] },
  };
}

const joinedSignals = {
  object: 'AbortSignal',
  property: 'any',
  message:
    'On Node 20 a signal that lives long keeps a part of every one that was joined to it: listen, and stop listening.',
};

const privateSentence =
  'This is private to the platform: use what it documents, or give up the guarantee in an ADR. ADR 80';

/** What Node, Fastify, Nest, pg and TypeORM keep to themselves. */
const privateToPlatforms = [
  'Identifier[name=/^(_header|_headerSent|_httpMessage|_paused|_handle|_keepAliveTimeout|_contentLength|_sent100)$/]',
  'Identifier[name=/^(parsedStatements|submittedNamedStatements|databaseConnection|ExecutionContextHost)$/]',
  'MemberExpression[object.property.name="driver"][property.name="master"]',
  'MemberExpression[object.type="TSAsExpression"][property.name="master"]',
].map((selector) => ({ selector, message: privateSentence }));

const environmentSentence = 'Only config/ reads the environment: take what you need from the typed Config.';

/**
 * What Nest and TypeORM offer and this service has not: it would do nothing, in silence. docs/nest.md
 * @type {(name: string, importNames: string[], message: string) => { name: string, importNames: string[], message: string }}
 */
const absent = (name, importNames, message) => ({ name, importNames, message });
const absentHere = [
  absent(
    'typeorm',
    ['Repository', 'BaseEntity', 'EntitySubscriberInterface', 'EventSubscriber'],
    'Rows are written by their CollectionService alone: this would leave ETags, versions and totals wrong.',
  ),
  absent(
    '@nestjs/throttler',
    ['Throttle'],
    'A quota belongs to a credential, not to a handler, so this does nothing: every route is counted.',
  ),
  absent(
    'typeorm',
    ['Entity', 'Column', 'PrimaryColumn', 'PrimaryGeneratedColumn', 'EntitySchema'],
    'A field is named in three places: its type on the wire, its DTO, its migration. Columns follow by defineCollection().',
  ),
  absent(
    'typeorm',
    ['ManyToMany', 'ManyToOne', 'OneToMany', 'OneToOne', 'JoinColumn', 'JoinTable'],
    'Rows are read by SQL, so relations are never loaded: ask the CollectionService of the other collection.',
  ),
];

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', 'coverage/', '.nx/', 'data/', 'tmp/', 'tools/fixtures/'] },
  // Programs on clients that their test generates, and compiles strictly.
  { ignores: ['apps/api-e2e/generated-clients/'] },
  // The build of the console.
  { ignores: ['libs/service/assets/console/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // A controller hands on what its service does, be it nothing.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Classes that serve as option types (Nest's do) are meant to be written as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Nest's modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // What was caught is handed on as it is.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Lengths and orders count code points, which is what spreading a string gives.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Where an interface wants a promise, `async` is its shortest honest form.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration[exportKind!="type"]',
          message: 'Name what you export: the index is the contract.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Export by name, so that every import says the same word.' },
        ...privateToPlatforms,
      ],
    },
  },
  // Nothing imports the modules of the page, and what a component returns is plain.
  { files: ['libs/console/src/**'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  // Apps of others, as far as this workspace is concerned: they have the packages from tarballs.
  { files: ['examples/**'], rules: { '@nx/enforce-module-boundaries': 'off' } },
  // It borrows the driver from the build of the service, as the scripts of the bench do.
  { files: ['tools/bench/usual-nest/**'], rules: { '@nx/enforce-module-boundaries': 'off' } },
  { files: [forNest], rules: { '@nx/enforce-module-boundaries': boundaries([], []) } },
  {
    files: projectsTagged('runtime:universal').map((folder) => `${folder}/src/**/*.ts`),
    ignores: [...specs, forNest, 'libs/client/src/replica/sqlite/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: notUniversal, message: 'This library also runs in browsers (runtime:universal).' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', 'global', 'setImmediate', '__dirname'],
    },
  },
  {
    // One expression that backtracks lets one client hold up all others: no input may cost more than its length.
    files: ['apps/api/src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.testing.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      // A sticky expression does not move.
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true, ignorePartial: false }],
      'no-restricted-properties': ['error', joinedSignals],
    },
  },
  {
    files: ['apps/api/src/**/*.ts', 'libs/service/src/**/*.ts'],
    ignores: [
      'libs/service/src/runtime/config/**',
      'libs/service/src/runtime/tracing/start-tracing.ts',
      // It passes the environment on to the service.
      'libs/service/src/service/development/development-runner.ts',
      ...specs,
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        joinedSignals,
        { object: 'process', property: 'env', message: environmentSentence },
      ],
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'node:process', message: environmentSentence }, ...absentHere] },
      ],
    },
  },
  // They serve Fastify alone as well, or no HTTP at all.
  withoutImports(['data', 'feed'], notForServers, 'The store and the collections know nothing of HTTP.'),
  withoutImports(
    ['http/body', 'http/connections', 'http/edge', 'http/request', 'http/scheduling', 'http/versions'],
    notForEdges,
    "Fastify's edge knows neither Nest nor the database.",
  ),
  {
    files: specs,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['testing'], []),
      // Jest's matchers (`expect.any`) and parsed answers are `any` by design.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    files: ['apps/api-e2e/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@items/dtos',
          message: 'A black box has no classes of the service: @items/dtos/contract has its types.',
        },
      ],
    },
  },
  {
    files: scripts,
    extends: [tseslint.configs.disableTypeChecked],
    rules: {
      // The type check covers these files too, and knows Node's and Jest's globals.
      'no-undef': 'off',
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-console': 'off',
    },
  },
  // Jest takes these as default exports.
  {
    files: ['*.config.js', '.dependency-cruiser.js', '**/jest.config.js', '**/global-*.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
