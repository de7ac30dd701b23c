import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { documents } from '../documents/documents.fixture.ts'
import { parsed, type Labels, type Series } from './promql.fixture.ts'
import { firingAt, operationsFile, rules } from './rules.fixture.ts'

// `promtool test rules docs/operations/alerts.test.yaml` runs the same tests where Prometheus is installed.

type ExpectedAlert = { readonly exp_labels: Labels; readonly exp_annotations: Labels }
type RuleTest = {
  readonly input_series: readonly { readonly series: string; readonly values: string }[]
  readonly alert_rule_test: readonly [
    {
      readonly eval_time: string
      readonly alertname: string
      readonly exp_alerts: readonly ExpectedAlert[]
    },
  ]
}
const { tests } = parse(operationsFile('alerts.test.yaml')) as { readonly tests: RuleTest[] }

const stepSeconds = 60
const seconds = (text: string): number =>
  text.endsWith('h') ? Number.parseInt(text) * 3_600 : Number.parseInt(text) * 60

/** Prometheus' notation: `7x60` is 61 samples of 7, and `0+2x3` is 0 2 4 6. */
function samplesOf(values: string): [number, number][] {
  const found: number[] = values.split(' ').flatMap((part) => {
    const [, start, step, count] = /^(-?[\d.]+)(?:\+([\d.]+))?x(\d+)$/.exec(part) ?? []
    if (start === undefined) throw new Error(`no values that this test reads: ${part}`)
    return Array.from(
      { length: Number(count) + 1 },
      (_, n) => Number(start) + n * Number(step ?? 0),
    )
  })
  return found.map((value, n) => [n * stepSeconds, value])
}

function seriesOf({ series, values }: RuleTest['input_series'][number]): Series {
  const [, name = '', list = ''] = /^(\w+)\{(.*)\}$/.exec(series) ?? []
  const labels = Object.fromEntries(
    Array.from(list.matchAll(/(\w+)="([^"]*)"/g), ([, label, text]) => [label, text]),
  ) as Labels
  return { labels: { __name__: name, ...labels }, samples: samplesOf(values) }
}

test.each(
  tests.map((each) => {
    const [{ alertname, exp_alerts: expected }] = each.alert_rule_test
    return [alertname, expected.length > 0 ? 'fires' : 'is quiet', each] as const
  }),
)(
  '%s %s',
  (alertname, _, { input_series: input, alert_rule_test: [{ eval_time, exp_alerts }] }) => {
    const at = { at: seconds(eval_time), step: stepSeconds }
    const firing = firingAt(alertname, input.map(seriesOf), at)
    expect(firing.map(({ labels, annotations }) => ({ labels, annotations }))).toEqual(
      exp_alerts.map(({ exp_labels: labels, exp_annotations: annotations }) => ({
        ...{ labels, annotations },
      })),
    )
  },
)

const alerts = rules.filter(({ alert }) => alert !== undefined)

test('each alert is tested firing and quiet', () => {
  const tested = tests.map(({ alert_rule_test: [{ alertname, exp_alerts }] }) => [
    ...[alertname, exp_alerts.length],
  ])
  expect(tested).toEqual(
    alerts.flatMap(({ alert }) => [
      [alert, 1],
      [alert, 0],
    ]),
  )
})

test('each expression is PromQL, and what is not is refused', () => {
  for (const { expr } of rules) expect(() => parsed(expr)).not.toThrow()
  for (const wrong of ['max(', 'rate(x[5 bananas])', 'a b'])
    expect(() => parsed(wrong)).toThrow(/syntax error/)
})

test('each alert has a severity, and names the part of the guide that says what to do', () => {
  const guide = documents().find(({ file }) => file === 'docs/operations.md')?.text ?? ''
  const anchors = Array.from(guide.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  for (const { alert, labels, annotations } of alerts) {
    expect(['page', 'ticket'], alert).toContain(labels?.['severity'])
    expect(Object.keys(annotations ?? {}), alert).toEqual(['summary', 'description', 'runbook'])
    const [file, anchor] = (annotations?.['runbook'] ?? '').split('#')
    expect([file, anchors.includes(anchor ?? '')], alert).toEqual(['operations.md', true])
    expect(guide.includes(`\`${alert}\``), alert).toBe(true)
  }
})
