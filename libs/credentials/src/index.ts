export { isPublic, NO_SECRET, requireSameMethod, requireSecret, requireSound } from './clients/client-rules.js';
export {
  addClientSecret,
  clientSecret,
  isClientSecret,
  liveSecretHashes,
  removeClientSecrets,
  rotateClientSecret,
} from './clients/client-secrets.js';
export { isLoopback, isLoopbackAddress, isOtherLocalhost, isSecureLoopback } from './clients/loopback.js';
export { isUsable } from './clients/redirect-uris.js';
export { FAILURES_PER_ACCOUNT, LoginFailures, failureKeysOf } from './logins/login-failures.js';
export type { PasswordUse, FailureKeys } from './logins/login-failures.js';
export {
  addPassword,
  replacePassword,
  replaceCurrentPassword,
  removePassword,
  revokeIssued,
} from './logins/passwords.js';
export { addGrantedScope } from './oauth/granted-scope.js';
export { OauthAudit } from './oauth/oauth-audit.js';
export { OauthErrorFilter } from './oauth/oauth-error.filter.js';
export { RESPONSE_MODE, tellOffered } from './oauth/offered-metadata.js';
export { keepOwnCors } from './oauth/own-cors.js';
export { ReadOnlyAdapter } from './oauth/read-only-adapter.js';
export { replayed, basePathOf } from './oauth/replayed-request.js';
export type { Replay } from './oauth/replayed-request.js';
export { SERVER_KEYS, serverKeys } from './oauth/server-keys.js';
export type { ServerKeys } from './oauth/server-keys.js';
export { answerUnavailable } from './oauth/unavailable.js';
export { RESOURCE_METADATA_PATH, resourceOf, unauthorized } from './requests/challenges.js';
export { presentedCredential } from './requests/presented-credential.js';
export type { Presented } from './requests/presented-credential.js';
export { LastUseFlush } from './secrets/last-use-flush.js';
export type { Uses } from './secrets/last-use-flush.js';
export { LastUses } from './secrets/last-uses.js';
export { makeSecret, isWellFormed, hashSecret, isSameHash } from './secrets/secret.js';
export type { HashedSecret } from './secrets/secret.js';
export { AccessTokenCache } from './tokens/access-token-cache.js';
export { Artifacts, consumeArtifact, endBrowserLogins, putArtifact } from './tokens/artifacts.js';
export type { Artifact, NewArtifact } from './tokens/artifacts.js';
export { hashed, randomToken, seal, unseal } from './tokens/hashed.js';
export { words, grantable } from './tokens/scope-words.js';
export { SessionUses } from './tokens/session-uses.js';
export { findTokenFacts } from './tokens/token-facts.js';
export type { TokenFacts } from './tokens/token-facts.js';
export { TokenWrites } from './tokens/token-writes.js';
export {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_SECONDS,
  CODE_SECONDS,
  INTERACTION_SECONDS,
  BROWSER_SESSION_SECONDS,
  inWords,
  FIRST_PARTY,
} from './tokens/lifetimes.js';
export { grantPayload } from './tokens/grant-payload.js';
export type { GrantPayload } from './tokens/grant-payload.js';
export { issueTokens } from './tokens/issue-tokens.js';
export { scopeSentence } from './pages/scope-sentence.js';
export { logoutPage } from './pages/logout-page.js';
export { loginPage, type ProviderButton } from './pages/login-page.js';
export { consentPage } from './pages/consent-page.js';
export { pageErrorAnswer, errorPage } from './pages/error-page.js';
export { PageErrorFilter } from './pages/page-error.filter.js';
export { MAX_SESSIONS, sessionsToEnd } from './tokens/session-room.js';
