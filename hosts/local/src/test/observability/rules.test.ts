import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readDocument } from '../documents/documents.fixture.ts'
import { expectPromtool, testWithPromtool } from './promtool.fixture.ts'
import { operationsFile, panelExpressions, rules } from './rules.fixture.ts'

type RuleTest = {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}
const { tests } = parse(operationsFile('alerts.test.yaml')) as { readonly tests: RuleTest[] }

testWithPromtool('the rules are valid', () => expectPromtool(['check', 'rules', 'alerts.yaml']))
testWithPromtool('each alert fires and is quiet as its test says', () =>
  expectPromtool(['test', 'rules', 'alerts.test.yaml']),
)

testWithPromtool('each expression of the dashboard is valid', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quipu-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'rules.yaml')
  const asRules = panelExpressions.map((expr, n) => ({ record: `panel_${n}`, expr }))
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }))
  expectPromtool(['check', 'rules', file])
})

const alerts = rules.filter(({ alert }) => alert !== undefined)

test('each alert is tested firing and quiet', () => {
  const outcomes = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const named = (isFiring: boolean): string[] =>
    outcomes.filter(({ exp_alerts }) => exp_alerts.length > 0 === isFiring).map(({ alertname }) => alertname)
  const expected = alerts.map(({ alert }) => alert)
  expect(named(true)).toEqual(expected)
  expect(named(false).toSorted()).toEqual(expected.toSorted())
})

test('each alert has a severity and its runbook, and each runbook an alert', () => {
  const { text } = readDocument('docs/operations/alerts.md')
  const sections = new Map(
    text.split(/^##+ /m).map((section) => [section.split('\n')[0]?.toLowerCase() ?? '', section] as const),
  )
  for (const { alert = '', labels, annotations } of alerts) {
    expect(['page', 'ticket'], alert).toContain(labels?.['severity'])
    expect(Object.keys(annotations ?? {}), alert).toEqual(['summary', 'description', 'runbook_url'])
    const [file, anchor = ''] = (annotations?.['runbook_url'] ?? '').split('#')
    expect(file, alert).toBe('docs/operations/alerts.md')
    expect(sections.get(anchor), alert).toMatch(new RegExp(`\\b${alert}\\b`))
  }
  const named = new Set(text.match(/\bQuipu[A-Z]\w+/g))
  expect([...named].toSorted()).toEqual(alerts.map(({ alert = '' }) => alert).toSorted())
})
