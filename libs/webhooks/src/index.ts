export { AddressRanges } from './sending/address-ranges.js';
export type { Attempt, AttemptError, AttemptResult } from './sending/attempt.js';
export { judgeUrl } from './sending/judge-url.js';
export type { UrlRefusal } from './sending/judge-url.js';
export { signaturesOf } from './sending/signatures.js';
export { WebhookSender } from './sending/webhook-sender.js';
export type { WebhookSenderOptions } from './sending/webhook-sender.js';
