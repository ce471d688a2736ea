import { readTrustedIssuers, TrustedIssuersError } from '../issuers/read-trusted-issuers.js';
import { type TrustedIssuer } from '../issuers/trusted-issuer.js';
import { ConfigError } from '../settings/config-error.js';
import { type Variable } from '../settings/variable.js';

import type { KnownNames } from './known-names.js';

const EXAMPLE = `'[{"issuer":"https://login.example.com/realms/shop","audience":"items"}]'`;

export function trustedIssuers(
  { name, value }: Variable,
  { isScope }: Pick<KnownNames, 'isScope'>,
): readonly TrustedIssuer[] {
  if (value === undefined) return [];
  try {
    return readTrustedIssuers(value, isScope);
  } catch (error) {
    throw error instanceof TrustedIssuersError ? new ConfigError(name, error.message, EXAMPLE) : error;
  }
}
