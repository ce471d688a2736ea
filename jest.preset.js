import { availableParallelism, loadavg } from 'node:os';

/**
 * What every project's Jest shares: sources of our libs instead of their builds, and Nest's ES modules
 * compiled to CommonJS on the way in (Jest's own ES module mode breaks on a CommonJS package that requires one).
 */

/** How much longer a busy machine takes. No test is about its own speed, so time-outs grow with the load. */
export const slowdown = Math.max(1, Math.ceil((loadavg()[0] ?? 0) / availableParallelism()));

/** Packages that ship ES modules only, or load some, so that Jest must compile them as well. */
const esModuleOnly = [
  '@nestjs/',
  'file-type',
  'jose',
  '@opentelemetry/otlp-exporter-base',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer/',
  '@borewit/',
  'oidc-provider',
  'openid-client',
  'oauth4webapi',
  'fast-check',
  'fractional-indexing',
  'pure-rand',
];

const module = { type: 'commonjs', importInterop: 'node', ignoreDynamic: false };

const typescript = {
  swcrc: false,
  sourceMaps: true,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  // Our own sources are ES modules to each other: a namespace holds what they export, and no `default`.
  module: { ...module, importInterop: 'swc' },
};

const javascript = {
  swcrc: false,
  sourceMaps: true,
  jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } },
  module,
};

/** It imports default exports of its own files: ES modules to each other, which `node` takes for CommonJS. */
const esModulesAmongThemselves = '/node_modules/oidc-provider/.*\\.js$';
const esModules = { ...javascript, module: { ...module, importInterop: 'swc' } };

/**
 * The Jest configuration of one project; its folder is the root.
 * @param {string} displayName as the project is called in reports.
 * @returns {import('jest').Config}
 */
export function projectConfig(displayName) {
  return {
    displayName,
    globalSetup: `${import.meta.dirname}/libs/testing/jest/global-setup.js`,
    globalTeardown: `${import.meta.dirname}/libs/testing/jest/global-teardown.js`,
    testEnvironment: 'node',
    testTimeout: 60_000 * slowdown,
    testEnvironmentOptions: { customExportConditions: ['@items/source', 'node', 'node-addons'] },
    testMatch: ['<rootDir>/**/*.spec.ts', '<rootDir>/**/*.spec.js'],
    testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
    moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1', '$1.js'] },
    transform: {
      '\\.ts$': ['@swc/jest', typescript],
      [esModulesAmongThemselves]: ['@swc/jest', esModules],
      '\\.m?js$': ['@swc/jest', javascript],
    },
    transformIgnorePatterns: [`/node_modules/(?!(${esModuleOnly.join('|')}))`, '/libs/testing/jest/global-'],
  };
}
