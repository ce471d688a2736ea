import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

import { ConfigError } from './config-error.js';
import type { Variable } from './variable.js';

interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const EXAMPLES: TlsFiles = { cert: '/etc/items/cert.pem', key: '/etc/items/key.pem' };

/** @returns undefined if the files are not readable, or do not belong together. */
export function readTlsFiles(paths: TlsFiles): TlsFiles | undefined {
  const [cert, key] = [readText(paths.cert), readText(paths.key)];
  return cert !== undefined && key !== undefined && isPair({ cert, key }) ? { cert, key } : undefined;
}

/** @throws {ConfigError} */
export function tlsFiles(cert: Variable, key: Variable): TlsFiles | undefined {
  if (cert.value === undefined && key.value === undefined) return undefined;
  const tls = { cert: readPem(cert, key.name, EXAMPLES.cert), key: readPem(key, cert.name, EXAMPLES.key) };
  if (!isPair(tls))
    throw new ConfigError(cert.name, `and ${key.name} must be a certificate and its key`, EXAMPLES.cert);
  return tls;
}

function isPair(tls: TlsFiles): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

function readPem({ name, value }: Variable, partner: string, example: string): string {
  if (value === undefined) throw new ConfigError(name, `must be given together with ${partner}`, example);
  const pem = readText(value);
  if (!pem?.includes('-----BEGIN ')) throw new ConfigError(name, 'must be the path of a readable PEM file', example);
  return pem;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
