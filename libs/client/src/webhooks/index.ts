export { WebhookVerificationError } from './verification-error.js';
export type { WebhookVerificationCode } from './verification-error.js';
export { verifyWebhook } from './verify-webhook.js';
export type { VerifyOptions, WebhookHeaders } from './verify-webhook.js';
export type { Event, EventKind } from '@items/dtos/contract';
