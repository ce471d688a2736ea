import { judged } from './wrong-judgement.js';
import { ofItems } from './wrong-items.js';
import { ofOrders } from './wrong-orders.js';
import { ofCredentials } from './wrong-credentials.js';
import type { WrongDecision } from './wrong-decision.js';

/** Each decision is different in one of these services. */
export const wrongDecisions: readonly WrongDecision[] = [...judged, ...ofItems, ...ofOrders, ...ofCredentials];
