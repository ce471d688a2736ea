import { availableParallelism, loadavg } from 'node:os';

/**
 * Jest configuration of all projects. It loads the sources of our libs instead of their builds, and compiles Nest's ES modules
 * to CommonJS, because Jest's ES module mode fails for a CommonJS package that requires an ES module.
 */

/** Factor for time-outs on a busy machine. No test measures its own speed, so time-outs grow with the load. */
export const slowdown = Math.max(1, Math.ceil((loadavg()[0] ?? 0) / availableParallelism()));

/** Packages that contain only ES modules, or load some. Jest must compile them. */
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
  'preact/',
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
  // Our sources import each other as ES modules: a namespace has their named exports and no `default`.
  module: { ...module, importInterop: 'swc' },
};

const javascript = {
  swcrc: false,
  sourceMaps: true,
  jsc: { target: 'es2023', parser: { syntax: 'ecmascript' } },
  module,
};

/** oidc-provider imports default exports of its own files as ES modules; the interop `node` would treat them as CommonJS. */
const esModulesAmongThemselves = '/node_modules/oidc-provider/.*\\.js$';
const esModules = { ...javascript, module: { ...module, importInterop: 'swc' } };

/**
 * Returns the Jest configuration of one project. The root is its folder.
 * @param {string} displayName of the project in reports.
 * @returns {import('jest').Config}
 */
export function projectConfig(displayName) {
  return {
    displayName,
    globalSetup: `${import.meta.dirname}/libs/testing/jest/global-setup.js`,
    globalTeardown: `${import.meta.dirname}/libs/testing/jest/global-teardown.js`,
    testEnvironment: `${import.meta.dirname}/libs/testing/jest/environment.js`,
    resolver: `${import.meta.dirname}/libs/testing/jest/resolver.js`,
    testTimeout: 60_000 * slowdown,
    testEnvironmentOptions: { customExportConditions: ['@items/source', 'node', 'node-addons'] },
    testMatch: ['<rootDir>/**/*.spec.ts', '<rootDir>/**/*.spec.js'],
    testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
    moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
    transform: {
      '\\.ts$': ['@swc/jest', typescript],
      [esModulesAmongThemselves]: ['@swc/jest', esModules],
      '\\.m?js$': ['@swc/jest', javascript],
    },
    transformIgnorePatterns: [`/node_modules/(?!(${esModuleOnly.join('|')}))`, '/libs/testing/jest/'],
  };
}
