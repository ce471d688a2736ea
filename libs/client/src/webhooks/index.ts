export { WebhookVerificationError } from './verification-error.js';
export { verifyWebhook } from './verify-webhook.js';
export type { VerifyOptions, WebhookHeaders } from './verify-webhook.js';
