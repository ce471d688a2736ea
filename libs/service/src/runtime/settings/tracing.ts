const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Returns whether OpenTelemetry's variables name an exporter or an endpoint. Otherwise the service does not load
 * OpenTelemetry.
 */
export function isTracingWanted(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim();
  if (exporter) return exporter !== 'none';
  return ENDPOINTS.some((name) => Boolean(env[name]?.trim()));
}
