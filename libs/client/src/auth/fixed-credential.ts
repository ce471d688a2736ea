import type { Credential, CredentialHeader } from '../http/credential.js';

/** @param secrets For {@link Credential.secrets}. */
export function fixedCredential(header: CredentialHeader, secrets: readonly string[]): Credential {
  return {
    isRenewable: false,
    begin: () => () => Promise.resolve(header),
    owner: () => '',
    secrets: () => [...secrets, header.value.replace(/^\w+ /, '')],
  };
}
