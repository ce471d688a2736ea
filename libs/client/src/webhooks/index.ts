export { verifyWebhook, WebhookVerificationError } from './verify-webhook.js';
export type { VerifyOptions, WebhookHeaders } from './verify-webhook.js';
