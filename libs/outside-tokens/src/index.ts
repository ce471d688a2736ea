export { OutsideTokens } from './outside-tokens.js';
export type { OutsideToken } from './outside-tokens.js';
export { claimOf } from './token-scopes.js';
export type { IssuerLog } from './issuer-keys.js';
export { readTrustedIssuers, TrustedIssuersError } from './read-trusted-issuers.js';
export { areKeysSafeAt, isSafeAddress } from './trusted-issuer.js';
export type { TrustedIssuer } from './trusted-issuer.js';
