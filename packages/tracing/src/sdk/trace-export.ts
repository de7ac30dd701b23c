import type { LostSpans } from './counted-spans.ts'

/** The standard settings of OpenTelemetry, read. */
export type TraceExport = {
  /** URL of the collector, without `/v1/traces`. Undefined: nothing is traced, and no SDK is loaded. */
  readonly endpoint: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly sampler:
    | 'always_on'
    | 'always_off'
    | 'traceidratio'
    | 'parentbased_always_on'
    | 'parentbased_always_off'
    | 'parentbased_traceidratio'
  /** The share of traces that the `traceidratio` samplers record, from 0 to 1. */
  readonly ratio: number
  readonly serviceName: string
  /** The id of this process. */
  readonly instanceId: string
  /** Called at most once for each failed export. Must not throw. */
  readonly report: (lost: LostSpans) => void
}

/** A running export of spans. */
export type Traces = {
  /** Sends what is queued, for at most `ms`, and ends the export. */
  stop(ms: number): Promise<void>
  /** The spans that were lost up to now. */
  lost(): LostSpans
}
