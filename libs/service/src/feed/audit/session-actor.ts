/** The built-in client logs users in. */
export const SESSION_CLIENT = 'first-party';

interface ActorColumns {
  readonly actor_type?: string;
  readonly credential_id?: string | null;
  readonly client_id?: string | null;
}

const OWN_STRATEGY = 'strategy:';

/** Apart from own strategies, only sessions have a credential of the user and no client. */
export function isSession({ actor_type: type, credential_id: credential, client_id: client }: ActorColumns): boolean {
  if (type !== 'user' || typeof credential !== 'string' || client !== null) return false;
  return !credential.startsWith(OWN_STRATEGY);
}
