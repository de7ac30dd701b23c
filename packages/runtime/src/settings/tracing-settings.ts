import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Logger } from '../log/log.ts'

/** The samplers by their standard names. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** The share of traces that are recorded by default. */
export const defaultTraceRatio = 0.01

const ratioRule = 'must be a number from 0 to 1'
const headersRule = 'must be name=value pairs with commas between them'

/** The variables of the processes that export traces. Their names are those of OpenTelemetry. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be the http(s) URL of a collector' })
    .optional()
    .describe(
      'URL of the collector that receives traces by OTLP over HTTP, without /v1/traces. Without it nothing is traced.',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/, headersRule)
    .transform((text) =>
      Object.fromEntries(
        text.split(',').map((pair): [string, string] => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
        }),
      ),
    )
    .optional()
    .describe('Headers of the requests to the collector, such as its key: name=value,name=value.'),
  OTEL_SERVICE_NAME: z
    .string()
    .max(100, 'must be at most 100 characters')
    .optional()
    .describe('Name of the service in traces. Default quipu-api and quipu-worker.'),
  OTEL_TRACES_SAMPLER: z
    .enum(traceSamplers, `must be one of ${traceSamplers.join(', ')}`)
    .default('parentbased_traceidratio')
    .describe('Which traces are recorded.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number(ratioRule)
    .min(0, ratioRule)
    .max(1, ratioRule)
    .default(defaultTraceRatio)
    .describe('With the traceidratio samplers: the share of traces that are recorded.'),
}

const schema = z.object(tracingSettings)
export type TracingSettings = z.output<typeof schema>

/** How this process exports its traces. @param log  warns about spans that no collector received */
export const traceExport = (settings: TracingSettings, program: 'api' | 'worker', log: Pick<Logger, 'warn'>) => ({
  endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
  headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
  sampler: settings.OTEL_TRACES_SAMPLER,
  ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  serviceName: settings.OTEL_SERVICE_NAME ?? `quipu-${program}`,
  instanceId: randomUUID(),
  report: (lost: object): void => log.warn({ ...lost }, lostSpansText),
})

const lostSpansText =
  'spans of traces were lost; payouts are not affected; check the collector at OTEL_EXPORTER_OTLP_ENDPOINT'
