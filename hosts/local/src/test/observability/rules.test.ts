import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { documents, repository } from '../documents/documents.fixture.ts'
import { parsed } from './promql.fixture.ts'
import { operationsFile, rules } from './rules.fixture.ts'

type RuleTest = {
  readonly alert_rule_test: readonly [{ readonly alertname: string; readonly exp_alerts: readonly unknown[] }]
}
const { tests } = parse(operationsFile('alerts.test.yaml')) as { readonly tests: RuleTest[] }

const promtool = (...args: readonly string[]) =>
  spawnSync(process.env['QUIPU_PROMTOOL'] ?? 'promtool', args, {
    cwd: path.join(repository, 'docs/operations'),
    encoding: 'utf8',
  })
const isAtHand = promtool('--version').status === 0

if (isAtHand)
  test.each([
    ['the rules are valid', ['check', 'rules', 'alerts.yaml']],
    ['each alert fires and is quiet as its test says', ['test', 'rules', 'alerts.test.yaml']],
  ])('%s', (_, args) => {
    const { status, stdout, stderr } = promtool(...args)
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  })
else
  test('the tests of the rules did not run here', () => {
    const advice = 'install Prometheus (Debian: apt-get install prometheus), or set QUIPU_PROMTOOL to its promtool'
    console.warn(`alerts.test.yaml did not run. To run it, ${advice}.`)
    // Where every program must be at hand, as before a release.
    expect(process.env['QUIPU_PROMTOOL'], advice).toBeUndefined()
  })

const alerts = rules.filter(({ alert }) => alert !== undefined)

test('each alert is tested firing and quiet', () => {
  const tested = tests.map(({ alert_rule_test: [{ alertname, exp_alerts }] }) => [alertname, exp_alerts.length])
  expect(tested).toEqual(
    alerts.flatMap(({ alert }) => [
      [alert, 1],
      [alert, 0],
    ]),
  )
})

test('each expression is PromQL, and what is not is refused', () => {
  for (const { expr } of rules) expect(() => parsed(expr)).not.toThrow()
  for (const wrong of ['max(', 'rate(x[5 bananas])', 'a b']) expect(() => parsed(wrong)).toThrow(/syntax error/)
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
