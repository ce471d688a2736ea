/**
 * How long a process believes what it has read. What another instance revoked is dead everywhere within 5 s
 * (authentication.md): a second is left for the request that asks.
 */
export const KNOWN_FOR_MS = 4_000;
