export { AdminOnly } from './access/auth/decorators.js';
export { Owners } from './access/auth/owners.js';
export type { EventTexts } from './service/composition/composition.js';
export { Exchange, HttpExchange } from './access/exchange/http-exchange.js';
export type { ImportRules } from './admin/import-export/transferable.js';
export { ALL_PARENTS } from './data/definition/parent-keys.js';
export { defineCollection } from './data/definition/define-collection.js';
export { idFilter } from './data/definition/field-filters.js';
export type { Tagged } from './data/collections/tagged.js';
