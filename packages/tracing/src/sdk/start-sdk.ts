import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { countedSpans, queuedSpansMax } from './counted-spans.ts'
import type { TraceExport, Traces } from './trace-export.ts'
import { register } from './register.ts'
import { samplingOf } from './sampler.ts'

/** Deadline of one export, with its retries. */
const exportTimeoutMs = 10_000
const exportEveryMs = 5_000

/** Exports spans in batches. */
export function startSdk(options: TraceExport & { readonly endpoint: string }): Traces {
  const { endpoint, headers, serviceName, instanceId, report } = options
  const counted = countedSpans(
    new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      ...(headers && { headers: { ...headers } }),
      timeoutMillis: exportTimeoutMs,
    }),
    report,
  )
  const queue = new BatchSpanProcessor({
    exporter: counted.exporter,
    maxQueueSize: queuedSpansMax,
    scheduledDelayMillis: exportEveryMs,
    exportTimeoutMillis: exportTimeoutMs,
  })
  const registered = register(
    {
      spanProcessors: [counted.bounded(queue)],
      resource: defaultResource()
        .merge(detectResources({ detectors: [envDetector] })) // OTEL_RESOURCE_ATTRIBUTES
        .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instanceId })),
    },
    samplingOf(options),
  )
  return {
    lost: counted.lost,
    stop: async (ms) => {
      const { promise: timeout, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      // An export that fails has been reported.
      await Promise.race([registered?.stop().catch(() => undefined), timeout])
      clearTimeout(timer)
      counted.giveUp()
    },
  }
}
