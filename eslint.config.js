import { readdirSync, readFileSync } from 'node:fs';
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Returns the folders of the libs with a tag, so that the tag of a new lib is enough.
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
const scripts = ['**/*.js', 'tools/**/*.ts'];
/** The entry `@items/fields/nest` is for Node alone; the rest of its lib also runs in browsers. */
const forNest = 'libs/fields/src/nest/**/*.ts';

/** Packages that a browser bundle cannot contain. `type:*` tags do not cover the modules of Node. */
const notUniversal = ['node:*', '@nestjs/*', 'typeorm', 'fastify', '@fastify/*', 'passport*', 'reflect-metadata'];

/** Packages that serve HTTP. The store and the collections do not depend on them. */
const notForServers = ['@nestjs/*', 'fastify', '@fastify/*', 'passport*'];

/** Packages that the edge does not import, because it also serves apps without Nest. */
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
 * Configures the rule for imports between projects.
 * @param {string[]} forTests further tags that tests may import.
 * @param {object[]} further constraints. Code for Node alone has none.
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
    dependsOn('e2e', 'contract', 'util', 'client', 'dto', 'testing', 'tool'),
    dependsOn('tool', 'contract', 'util', 'client', 'dto', 'nest', 'testing'),
    ...further,
  ];
  // Dynamic imports do not split code here: they wait for a build, or make a start faster.
  const checkDynamicDependenciesExceptions = ['.*'];
  return [
    'error',
    { enforceBuildableLibDependency: true, allow: [], checkDynamicDependenciesExceptions, depConstraints },
  ];
}

/**
 * Forbids imports of packages in folders of the service.
 * @param {readonly string[]} folders
 * @param {string[]} group of packages.
 * @param {string} message
 */
function withoutImports(folders, group, message) {
  const paths = [{ name: 'node:process', message: environmentSentence }, ...absentHere];
  return {
    files: folders.map((folder) => `libs/service/src/${folder}/**/*.ts`),
    ignores: [...specs, 'libs/service/src/http/nest/**'],
    /** @type {import('eslint').Linter.RulesRecord} */
    rules: { 'no-restricted-imports': ['error', { paths, patterns: [{ group, message }] }] },
  };
}

const joinedSignals = {
  object: 'AbortSignal',
  property: 'any',
  message:
    'On Node 20, AbortSignal.any() leaks memory if one of its signals lives long: add a listener, and remove it.',
};

const privateSentence =
  'This is private to the platform: use its documented API, or give up the guarantee in an ADR. ADR 80';

/** Private members of Node, Fastify, Nest, pg and TypeORM. */
const privateToPlatforms = [
  'Identifier[name=/^(_header|_headerSent|_httpMessage|_paused|_handle|_keepAliveTimeout|_contentLength|_sent100)$/]',
  'Identifier[name=/^(parsedStatements|submittedNamedStatements|databaseConnection|ExecutionContextHost)$/]',
  'MemberExpression[object.property.name="driver"][property.name="master"]',
  'MemberExpression[object.type="TSAsExpression"][property.name="master"]',
].map((selector) => ({ selector, message: privateSentence }));

const environmentSentence = 'Only config/ reads the environment: use the typed Config.';

/**
 * Exports of Nest and TypeORM that have no effect in this service (docs/nest.md).
 * @type {(name: string, importNames: string[], message: string) => { name: string, importNames: string[], message: string }}
 */
const absent = (name, importNames, message) => ({ name, importNames, message });
const absentHere = [
  absent(
    'typeorm',
    ['Repository', 'BaseEntity', 'EntitySubscriberInterface', 'EventSubscriber'],
    'Only a CollectionService writes rows: other writes would make ETags, versions and totals wrong.',
  ),
  absent(
    'typeorm',
    ['Entity', 'Column', 'PrimaryColumn', 'PrimaryGeneratedColumn', 'EntitySchema'],
    'Declare the field in the input class of collection(): its decorators define the column.',
  ),
  absent(
    'typeorm',
    ['ManyToMany', 'ManyToOne', 'OneToMany', 'OneToOne', 'JoinColumn', 'JoinTable'],
    'Rows are read by SQL, so relations are never loaded: use the CollectionService of the other collection.',
  ),
];

// Rules that need types are in .oxlintrc.json, because ESLint would take eight times as long for them.
export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', 'coverage/', '.nx/', 'data/', 'tmp/', 'tools/fixtures/'] },
  // Programs that use generated clients. Their test generates the clients and compiles both strictly.
  { ignores: ['apps/api-e2e/generated-clients/'] },
  // The build of the console.
  { ignores: ['libs/service/assets/console/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strict,
  {
    // Nest reads the types of constructor parameters at run time, so their imports are values.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // A module of Nest is an empty class with a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration[exportKind!="type"]',
          message: 'Export each name explicitly: the index is the contract.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export, so that all imports use the same name.' },
        ...privateToPlatforms,
      ],
    },
  },
  // No project imports the modules of the console, and the return type of a component is obvious.
  { files: ['libs/console/src/**'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' } },
  // Examples are like apps outside the workspace: they install the packages.
  { files: ['examples/**'], rules: { '@nx/enforce-module-boundaries': 'off' } },
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
    // A regular expression that backtracks lets one client block all others: matching must take linear time.
    files: ['apps/api/src/**/*.ts', 'libs/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.testing.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      // A sticky expression matches at one position only.
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true, ignorePartial: false }],
      'no-restricted-properties': ['error', joinedSignals],
    },
  },
  {
    files: ['apps/api/src/**/*.ts', 'libs/service/src/**/*.ts'],
    ignores: [
      'libs/service/src/runtime/config/**',
      'libs/service/src/runtime/tracing/start-tracing.ts',
      // Passes the environment on to the service.
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
  // These folders also work without Nest, or without HTTP.
  withoutImports(['data', 'feed'], notForServers, 'The store and the collections do not depend on HTTP.'),
  withoutImports(['http'], notForEdges, "Fastify's edge depends neither on Nest nor on the database."),
  {
    files: specs,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['testing'], []),
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  // Services that tests and benchmarks start.
  {
    files: ['apps/api-e2e/bookshop/**', 'tools/bench/usual-nest/**'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  {
    files: ['apps/api-e2e/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@items/dtos',
          message: 'Black box tests do not import classes of the service: use the types of @items/dtos/contract.',
        },
      ],
    },
  },
  {
    files: scripts,
    // Code of browsers and of a service, and fixtures of the lint rules.
    ignores: ['tools/bundles/**', 'tools/bench/usual-nest/**', 'tools/fixtures/**'],
    rules: {
      // The type check also covers these files, and knows the globals of Node and Jest.
      'no-undef': 'off',
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-console': 'off',
    },
  },
  // These tools load default exports.
  {
    files: ['**/*.config.js', '.dependency-cruiser.js', 'libs/testing/jest/*', '**/global-*.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
