import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type MetricOptions<Label extends string = never> = {
  /** `quipu_…`, with its unit last. */
  readonly name: string
  readonly help: string
  /** Names of labels with few values each: never an id. */
  readonly labels?: readonly Label[]
}

/** One value for each label. */
export type Labelled<Label extends string> = Readonly<Record<Label, string>>

type Observed<Label extends string> = readonly [labels: Labelled<Label>, value: number]

/** The metrics of one process. Measured code receives plain functions, not this type. */
export type Metrics = {
  /** A gauge without labels is 0 until it is set. @returns sets the gauge */
  gauge<Label extends string = never>(options: MetricOptions<Label>): (labels: Labelled<Label>, value: number) => void
  /**
   * A counter without labels is 0 until something is counted. Rates need the 0 before the first one, so give the
   * labels that are known beforehand.
   *
   * @returns counts one, or more
   */
  counter<Label extends string = never>(
    options: MetricOptions<Label> & { readonly known?: readonly Labelled<Label>[] },
  ): (labels: Labelled<Label>, by?: number) => void
  /**
   * A gauge that is read at each scrape and exposes exactly the values that `read` returns.
   *
   * @param read  must not reject
   */
  observed<Label extends string = never>(
    options: MetricOptions<Label>,
    read: () => Promise<readonly Observed<Label>[]>,
  ): void
  /** As `observed`, for what only grows. */
  observedCounter<Label extends string = never>(
    options: MetricOptions<Label>,
    read: () => Promise<readonly Observed<Label>[]>,
  ): void
  /** @returns records one observation */
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & {
      readonly buckets: readonly number[]
      /** Names and values of labels. */
      readonly known?: readonly Labelled<Label>[]
    },
  ): (labels: Labelled<Label>, value: number) => void
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
  /** The media type of the text. */
  readonly contentType: string
}

/** Metrics over a registry of their own, apart from every other in the process. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry()
  const toConfig = <Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  return {
    gauge(options) {
      const gauge = new Gauge(toConfig(options))
      return (labels, value) => gauge.set(labels, value)
    },
    counter(options) {
      const counter = new Counter(toConfig(options))
      for (const labels of options.known ?? []) counter.inc(labels, 0)
      return (labels, by = 1) => counter.inc(labels, by)
    },
    observed(options, read) {
      const gauge = new Gauge({
        ...toConfig(options),
        async collect() {
          const values = await read()
          gauge.reset()
          gauge.remove({}) // `reset` sets a gauge without labels to 0, a value that was never read.
          for (const [labels, value] of values) gauge.set(labels, value)
        },
      })
    },
    observedCounter(options, read) {
      const counter = new Counter({
        ...toConfig(options),
        async collect() {
          const values = await read()
          counter.reset()
          counter.remove({}) // As that of a gauge.
          for (const [labels, value] of values) counter.inc(labels, value)
        },
      })
    },
    histogram(options) {
      const histogram = new Histogram({ ...toConfig(options), buckets: [...options.buckets] })
      for (const labels of options.known ?? []) histogram.zero(labels)
      return (labels, value) => histogram.observe(labels, value)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Also exposes memory, CPU and event loop of the process. */
export function processMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with names of counters; the same gauges by type remain.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${name}_total`)
  const own = prometheusMetrics()
  return { ...own, text: async () => (await registry.metrics()) + (await own.text()) }
}
