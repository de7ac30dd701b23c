import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { alertCodes, severityOf } from '@quipu/core/operator'
import { parse, stringify } from 'yaml'
import { readDocument } from '../documents/documents.fixture.ts'
import { expectTool, testWithTool } from './tool.fixture.ts'
import { operationsFile, panelExpressions, rules } from './rules.fixture.ts'

type RuleTest = {
  readonly promql_expr_test?: readonly { readonly exp_samples: readonly { readonly labels: string }[] }[]
  readonly alert_rule_test?: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}
const { tests } = parse(operationsFile('alerts.test.yaml')) as { readonly tests: RuleTest[] }

testWithTool('promtool', 'the rules are valid', () => expectTool('promtool', ['check', 'rules', 'alerts.yaml']))
testWithTool('promtool', 'each alert fires and is quiet as its test says', () =>
  expectTool('promtool', ['test', 'rules', 'alerts.test.yaml']),
)

testWithTool('promtool', 'each expression of the dashboard is valid', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quipu-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'rules.yaml')
  const asRules = panelExpressions.map((expr, n) => ({ record: `panel_${n}`, expr }))
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
  expectTool('promtool', ['check', 'rules', file])
})

testWithTool('amtool', 'Alertmanager accepts its configuration, and wakes the person on duty for pages alone', () => {
  expectTool('amtool', ['check-config', 'alertmanager.yml'])
  const receivers = ['page', 'ticket'].map((severity) =>
    expectTool('amtool', ['config', 'routes', 'test', '--config.file=alertmanager.yml', `severity=${severity}`]).trim(),
  )
  expect(receivers).toEqual(['pages', 'tickets'])
})

testWithTool('promtool', 'Prometheus sends its alerts to the Alertmanager of compose.yaml', () => {
  expectTool('promtool', ['check', 'config', '--syntax-only', 'prometheus.yml'])
  const [, name = '?', port = '?'] = /targets: \['(\w+):(\d+)'\] }\] }\]\n/.exec(operationsFile('prometheus.yml')) ?? []
  expect(operationsFile('compose.yaml')).toContain(`\n  ${name}:\n    image: docker.io/prom/alertmanager:`)
  expect(port).toBe('9093')
})

const alerts = rules.filter(({ alert }) => alert !== undefined)

test('each alert is tested firing and quiet', () => {
  const firing = tests
    .flatMap(({ promql_expr_test = [] }) => promql_expr_test.flatMap(({ exp_samples }) => exp_samples))
    .map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1])
  const quiet = tests
    .flatMap(({ alert_rule_test = [] }) => alert_rule_test)
    .flatMap(({ alertname, exp_alerts }) => (exp_alerts.length === 0 ? [alertname] : []))
  const expected = alerts.map(({ alert }) => alert).toSorted()
  expect(firing.toSorted()).toEqual(expected)
  expect(quiet.toSorted()).toEqual(expected)
})

test('each alert has a severity and its runbook, and each runbook an alert', () => {
  const { text } = readDocument('docs/operations/alerts.md')
  const sections = new Map(
    text.split(/^##+ /m).map((section) => [section.split('\n')[0]?.toLowerCase() ?? '', section] as const),
  )
  for (const { alert = '', labels, annotations } of alerts) {
    expect(['page', 'ticket'], alert).toContain(labels?.['severity'])
    expect(Object.keys(annotations ?? {}), alert).toEqual(['summary', 'description', 'runbook_url'])
    const [base, anchor = ''] = (annotations?.['runbook_url'] ?? '').split('#')
    expect(base, alert).toBe('{{ $externalLabels.runbook }}')
    const code = alertCodes.find((each) => each.toLowerCase() === anchor)
    if (code) expect(labels?.['severity'], alert).toBe(severityOf(code))
    expect(sections.get(anchor), alert).toMatch(new RegExp(`\\b${alert}\\b`))
  }
  const named = new Set(text.match(/\bQuipu[A-Z]\w+/g))
  expect([...named].toSorted()).toEqual(alerts.map(({ alert = '' }) => alert).toSorted())
})

test('the document lists the codes that are tickets', () => {
  const { text } = readDocument('docs/operations/alerts.md')
  const [, list = ''] = /its section here\. ([^.]+) are tickets/.exec(text.replaceAll('\n', ' ')) ?? []
  const named = Array.from(list.matchAll(/`(\w+)`/g), ([, code]) => code)
  expect(named.toSorted()).toEqual(alertCodes.filter((code) => severityOf(code) === 'ticket').toSorted())
})
