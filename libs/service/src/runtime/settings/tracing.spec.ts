import { isTracingWanted } from './tracing.js';

describe('Traces are sent', () => {
  it.each<[boolean, NodeJS.ProcessEnv]>([
    [false, {}],
    [true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    [true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }],
    [true, { OTEL_TRACES_EXPORTER: 'console' }],
    [false, { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    [false, { OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' }],
    [false, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ])('%p with %p', (expected, env) => {
    expect(isTracingWanted(env)).toBe(expected);
  });
});
