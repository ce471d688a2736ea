import { headerSafe, type Credential, type CredentialHeader } from '../http/credential.js';

/** A bearer token that the application is asked for before every request. */
export function askedToken(ask: () => string | Promise<string>): Credential {
  let latest = '';
  return {
    header: async (): Promise<CredentialHeader> => {
      latest = headerSafe('auth.token()', await ask());
      return { name: 'authorization', value: `Bearer ${latest}` };
    },
    refused: () => false,
    // Another token may be another user's.
    owner: ({ value }) => value,
    secrets: () => [latest],
  };
}
