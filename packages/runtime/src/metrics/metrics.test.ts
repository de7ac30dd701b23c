import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { ledgerDrift } from './ledger-drift.ts'
import { type Metrics, processMetrics, prometheusMetrics } from './metrics.ts'

/** The line of a figure, without its name. */
const valueOf = async (metrics: Metrics, figure: string): Promise<string | undefined> =>
  (await metrics.text())
    .split('\n')
    .find((line) => line.startsWith(`${figure} `))
    ?.slice(figure.length + 1)

test('figures are shown in the text format of Prometheus, with their labels', async () => {
  const metrics = prometheusMetrics()
  const seen = metrics.counter({ name: 'quipu_seen_total', help: 'Seen.', labels: ['kind'] })
  const lag = metrics.gauge({ name: 'quipu_lag_blocks', help: 'Behind.', labels: ['view'] })
  const buckets = [0.1, 1]
  const took = metrics.histogram({ name: 'quipu_took_seconds', help: 'Took.', buckets })
  seen({ kind: 'zero' })
  seen({ kind: 'zero' }, 2)
  lag({ view: 'head' }, 7)
  lag({ view: 'head' }, 3)
  took({}, 0.5)

  expect(await valueOf(metrics, 'quipu_seen_total{kind="zero"}')).toBe('3')
  expect(await valueOf(metrics, 'quipu_lag_blocks{view="head"}')).toBe('3')
  expect(await valueOf(metrics, 'quipu_took_seconds_bucket{le="0.1"}')).toBe('0')
  expect(await valueOf(metrics, 'quipu_took_seconds_bucket{le="1"}')).toBe('1')
  expect(await metrics.text()).toContain('# TYPE quipu_lag_blocks gauge')
  expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/)
})

test('what is looked up is read for each text, and is not there when it was not found', async () => {
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

test('two registries of one process do not mix', async () => {
  const figure = { name: 'quipu_same', help: 'The same name.' }
  const [one, other] = [prometheusMetrics(), prometheusMetrics()]
  one.gauge(figure)({}, 1)
  other.gauge(figure)({}, 2)
  expect([await valueOf(one, 'quipu_same'), await valueOf(other, 'quipu_same')]).toEqual(['1', '2'])
})

test('the process tells its own figures beside ours', async () => {
  const metrics = processMetrics()
  metrics.gauge({ name: 'quipu_ours', help: 'Ours.' })({}, 1)
  expect(await valueOf(metrics, 'quipu_ours')).toBe('1')
  expect(Number(await valueOf(metrics, 'process_resident_memory_bytes'))).toBeGreaterThan(0)
})

test('drift adds up over wallets, whichever way they err, and falls when one is right again', async () => {
  const metrics = prometheusMetrics()
  const drift = () => valueOf(metrics, 'quipu_ledger_drift_micro_usdt')
  const report = ledgerDrift(metrics)
  expect(await drift()).toBe('0')
  report('ten_1', usdt(1n))
  report('ten_2', usdt(-3n))
  report('ten_3', usdt(0n))
  expect(await drift()).toBe('4')
  report('ten_1', usdt(1n))
  expect(await drift()).toBe('4')
  report('ten_2', usdt(0n))
  expect(await drift()).toBe('1')
})
