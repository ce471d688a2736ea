export { Audit, type AuditSource, operatorAudit } from './audit.js';
export { LOG } from './log.js';
export { LoggingModule } from './logging.module.js';
export { NestLog } from './nest-log.js';
