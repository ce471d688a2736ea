import type { Credential, CredentialHeader } from '../http/credential.js';

/** A credential that never changes. @param secrets the secrets that it contains, for {@link Credential.secrets}. */
export function fixedCredential(header: CredentialHeader, secrets: readonly string[]): Credential {
  return {
    isRenewable: false,
    begin: () => () => Promise.resolve(header),
    owner: () => '',
    secrets: () => [...secrets, header.value.replace(/^\w+ /, '')],
  };
}
