import type { Values } from './production-checks.ts'

/** null: tracing is off. */
export function tracingSettings(values: Values) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values
  if (endpoint === null) return null
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: values.OTEL_SERVICE_NAME as string,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    statementsOverMs: values.TRACE_STATEMENTS_OVER_MS as number,
  }
}
