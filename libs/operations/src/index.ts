export { Maintenance } from './maintenance-gate.js';
export { readMaintenance } from './maintenance.js';
export { OperationError } from './operation-error.js';
export { isOperation, operationsUsage, runOperation } from './operations.js';
export type { OperationContext } from './operations.js';
