import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What a figure is called and means. */
export type MetricOptions<Label extends string = never> = {
  /** `quipu_…`, with its unit last. */
  readonly name: string
  readonly help: string
  /** Of few values each: never an id. */
  readonly labels?: readonly Label[]
}

type Labelled<Label extends string> = Readonly<Record<Label, string>>

/** The figures of one process. What is measured is handed plain functions and knows nothing of this. */
export type Metrics = {
  /** Something that happens. @returns counts it */
  counter<Label extends string = never>(
    figure: MetricOptions<Label>,
  ): (labels: Labelled<Label>, times?: number) => void
  /** Something that goes up and down; 0 until it is set, unless it has labels. @returns sets it */
  gauge<Label extends string = never>(
    figure: MetricOptions<Label>,
  ): (labels: Labelled<Label>, value: number) => void
  /**
   * Something that is looked up each time that the figures are asked for. What `read` leaves out is
   * not shown.
   *
   * @param read  must not throw
   */
  observed<Label extends string = never>(
    figure: MetricOptions<Label>,
    read: () => Promise<readonly (readonly [labels: Labelled<Label>, value: number])[]>,
  ): void
  /** Something of which the spread counts. @returns notes one */
  histogram<Label extends string = never>(
    figure: MetricOptions<Label> & { readonly buckets: readonly number[] },
  ): (labels: Labelled<Label>, value: number) => void
  /** Everything, in the text format of Prometheus. */
  text(): Promise<string>
  /** The media type of the text. */
  readonly contentType: string
}

/** A registry of its own: two in one process do not mix. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry()
  const toConfig = <Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  return {
    counter(figure) {
      const counter = new Counter(toConfig(figure))
      return (labels, times = 1) => counter.inc(labels, times)
    },
    gauge(figure) {
      const gauge = new Gauge(toConfig(figure))
      return (labels, value) => gauge.set(labels, value)
    },
    observed(figure, read) {
      const gauge = new Gauge({
        ...toConfig(figure),
        async collect() {
          const found = await read()
          gauge.reset()
          gauge.remove({}) // Without labels a reset leaves a 0, which nobody has read.
          for (const [labels, value] of found) gauge.set(labels, value)
        },
      })
    },
    histogram(figure) {
      const histogram = new Histogram({ ...toConfig(figure), buckets: [...figure.buckets] })
      return (labels, value) => histogram.observe(labels, value)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** The same, with the figures of the process itself: memory, processor, event loop. */
export function processMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const own = prometheusMetrics()
  return {
    ...own,
    text: async () => (await registry.metrics()) + (await own.text()),
  }
}
