export {
  type OwnTracing,
  startOwnTracing,
  startTracing,
  type StopTracing,
  type TracingLog,
  type TracingOptions,
} from './start-tracing.js';
export { Tracing } from './tracing.js';
