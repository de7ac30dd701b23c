import { expect, test } from 'vitest'
import { type Metrics, processMetrics, prometheusMetrics } from './metrics.ts'

/** The value of a metric in the text. */
const valueOf = async (metrics: Metrics, name: string): Promise<string | undefined> =>
  (await metrics.text())
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)

test('the text is in the Prometheus format, with labels and help', async () => {
  const metrics = prometheusMetrics()
  const lag = metrics.gauge({ name: 'quipu_lag_blocks', help: 'Behind.', labels: ['view'] })
  const buckets = [0.1, 1]
  const recordDuration = metrics.histogram({ name: 'quipu_took_seconds', help: 'Took.', buckets })
  lag({ view: 'head' }, 7)
  lag({ view: 'head' }, 3)
  recordDuration({}, 0.5)

  expect(await valueOf(metrics, 'quipu_lag_blocks{view="head"}')).toBe('3')
  expect(await valueOf(metrics, 'quipu_took_seconds_bucket{le="0.1"}')).toBe('0')
  expect(await valueOf(metrics, 'quipu_took_seconds_bucket{le="1"}')).toBe('1')
  expect(await metrics.text()).toContain('# HELP quipu_lag_blocks Behind.')
  expect(await metrics.text()).toContain('# TYPE quipu_lag_blocks gauge')
  expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/)
})

test('an observed gauge is read at each scrape and exposes only the values read', async () => {
  const metrics = prometheusMetrics()
  let waiting: number[] = [3]
  const read = async () => waiting.map((count) => [{}, count] as const)
  metrics.observed({ name: 'quipu_waiting', help: 'Waiting.' }, read)
  metrics.observed({ name: 'quipu_waiting_by', help: 'By kind.', labels: ['kind'] }, async () =>
    waiting.map((count) => [{ kind: String(count) }, count] as const),
  )
  expect(await valueOf(metrics, 'quipu_waiting')).toBe('3')
  waiting = [5]
  expect(await valueOf(metrics, 'quipu_waiting')).toBe('5')
  expect(await valueOf(metrics, 'quipu_waiting_by{kind="5"}')).toBe('5')
  expect(await valueOf(metrics, 'quipu_waiting_by{kind="3"}')).toBeUndefined()
  waiting = []
  expect(await metrics.text()).not.toMatch(/^quipu_/m)
})

test('two registries of one process are independent', async () => {
  const options = { name: 'quipu_same', help: 'The same name.' }
  const [first, second] = [prometheusMetrics(), prometheusMetrics()]
  first.gauge(options)({}, 1)
  second.gauge(options)({}, 2)
  expect(await valueOf(first, 'quipu_same')).toBe('1')
  expect(await valueOf(second, 'quipu_same')).toBe('2')
})

test('processMetrics also exposes the metrics of the process', async () => {
  const metrics = processMetrics()
  metrics.gauge({ name: 'quipu_ours', help: 'Ours.' })({}, 1)
  expect(await valueOf(metrics, 'quipu_ours')).toBe('1')
  expect(Number(await valueOf(metrics, 'process_resident_memory_bytes'))).toBeGreaterThan(0)
})

test('only counters have names that end in _total', async () => {
  const types = (await processMetrics().text()).match(/^# TYPE .*_total .*$/gm) ?? []
  expect(types.filter((line) => !line.endsWith(' counter'))).toEqual([])
  expect(types).not.toEqual([])
})
