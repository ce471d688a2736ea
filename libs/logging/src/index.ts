export { type AccessLogOptions, accessLog, type EndedAnswer, type TraceFields } from './access-log.js';
export { errorLog } from './error-log.js';
export { LineBuffer } from './line-buffer.js';
export { LOG_LEVELS, type LogLevel } from './log-level.js';
export { infoSink, instanceName, type LineSink, type Log, logTo, type MoreFields, stdoutLog } from './log.js';
