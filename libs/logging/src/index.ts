export { type AccessLogOptions, accessLog, type EndedAnswer } from './access-log.js';
export { errorLog } from './error-log.js';
export { LineBuffer } from './line-buffer.js';
export { LOG_LEVELS, type LogLevel } from './log-level.js';
export { type LineSink, infoSink, type Log, logTo, stdoutLog } from './log.js';
