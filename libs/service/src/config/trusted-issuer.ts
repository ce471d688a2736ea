import { isScope } from '@items/contracts';
import { readTrustedIssuers, type TrustedIssuer, TrustedIssuersError } from '@items/outside-tokens';
import { ConfigError, type Variable } from '@items/settings';

const EXAMPLE = `'[{"issuer":"https://login.example.com/realms/shop","audience":"items"}]'`;

/** @throws {ConfigError} */
export function trustedIssuers({ name, value }: Variable): readonly TrustedIssuer[] {
  if (value === undefined) return [];
  try {
    return readTrustedIssuers(value, isScope);
  } catch (error) {
    throw error instanceof TrustedIssuersError ? new ConfigError(name, error.message, EXAMPLE) : error;
  }
}
