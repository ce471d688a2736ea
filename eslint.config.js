import { readdirSync, readFileSync } from 'node:fs';
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
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

/** What a browser bundle cannot hold (`type:*` tags cannot say it for the modules that Node brings). */
const notUniversal = ['node:*', '@nestjs/*', 'typeorm', 'fastify', '@fastify/*', 'passport*', 'reflect-metadata'];

/** @type {(tag: string, ...allowed: string[]) => object} */
const dependsOn = (tag, ...allowed) => ({
  sourceTag: `type:${tag}`,
  onlyDependOnLibsWithTags: allowed.map((name) => `type:${name}`),
});

/**
 * Arrows point down. Tests may in addition use what only tests share.
 * @param {string[]} forTests
 * @returns {['error', object]}
 */
function boundaries(...forTests) {
  const depConstraints = [
    dependsOn('contract', 'contract'),
    dependsOn('util', 'contract', 'util'),
    dependsOn('dto', 'contract', 'util'),
    dependsOn('nest', 'contract', 'util', 'nest'),
    dependsOn('client', 'contract', 'util'),
    dependsOn('app', 'contract', 'util', 'dto', 'nest', 'client', ...forTests),
    dependsOn('testing', 'contract', 'util', 'testing'),
    dependsOn('e2e', 'contract', 'client', 'testing'),
    dependsOn('tool', 'contract', 'util', 'client', 'testing'),
    {
      sourceTag: 'runtime:universal',
      onlyDependOnLibsWithTags: ['runtime:universal'],
      bannedExternalImports: notUniversal,
    },
  ];
  // Nothing here is split into chunks: a dynamic import only waits for a build, or saves a start its cost.
  const checkDynamicDependenciesExceptions = ['.*'];
  return [
    'error',
    { enforceBuildableLibDependency: true, allow: [], checkDynamicDependenciesExceptions, depConstraints },
  ];
}

const environmentSentence = 'Only config/ reads the environment: take what you need from the typed Config.';

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', 'coverage/', '.nx/', 'data/', 'tmp/', 'tools/fixtures/'] },
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
        { selector: 'ExportAllDeclaration', message: 'Name what you export: the index is the contract.' },
        { selector: 'ExportDefaultDeclaration', message: 'Export by name, so that every import says the same word.' },
      ],
    },
  },
  {
    files: projectsTagged('runtime:universal').map((folder) => `${folder}/src/**/*.ts`),
    ignores: specs,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: notUniversal, message: 'This library also runs in browsers (runtime:universal).' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', 'global', 'setImmediate', '__dirname'],
    },
  },
  {
    files: ['apps/api/src/**/*.ts'],
    ignores: ['apps/api/src/config/**', ...specs],
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environmentSentence }],
      'no-restricted-imports': ['error', { paths: [{ name: 'node:process', message: environmentSentence }] }],
    },
  },
  {
    files: specs,
    rules: {
      '@nx/enforce-module-boundaries': boundaries('testing'),
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
