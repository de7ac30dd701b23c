import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { repository } from '../documents/documents.fixture.ts'
import {
  durationOf,
  evaluate,
  type Labels,
  named,
  type Sample,
  type Series,
} from './promql.fixture.ts'

export type Rule = {
  readonly expr: string
  readonly record?: string
  readonly alert?: string
  readonly for?: string
  readonly labels?: Labels
  readonly annotations?: Labels
}

export const operationsFile = (name: string): string =>
  readFileSync(path.join(repository, 'docs/operations', name), 'utf8')

/** The rules of docs/operations/alerts.yaml, in their order. */
export const rules: readonly Rule[] = (
  parse(operationsFile('alerts.yaml')) as { readonly groups: readonly { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)

export type Alert = Sample & { readonly annotations: Labels }

/**
 * The alerts that fire at an instant, when the rules are evaluated in steps up to it.
 *
 * @param series  the results of recording rules are added to it
 */
export function firingAt(
  name: string,
  series: Series[],
  { at, step }: { readonly at: number; readonly step: number },
): readonly Alert[] {
  const since = new Map<string, number>()
  let firing: readonly Alert[] = []
  for (let second = 0; second <= at; second += step) {
    for (const rule of rules) {
      if (rule.record !== undefined) addRecorded(series, rule, rule.record, second)
      if (rule.alert === name) firing = firingOf(rule, series, second, since)
    }
  }
  return firing
}

function addRecorded(series: Series[], { expr }: Rule, record: string, second: number): void {
  for (const { labels, value } of evaluate(expr, series, second)) {
    const own = { ...named(labels), __name__: record }
    const key = JSON.stringify(own)
    const known = series.find((each) => JSON.stringify(each.labels) === key)
    if (known) known.samples.push([second, value])
    else series.push({ labels: own, samples: [[second, value]] })
  }
}

function firingOf(
  rule: Rule,
  series: readonly Series[],
  second: number,
  since: Map<string, number>,
): readonly Alert[] {
  const active = evaluate(rule.expr, series, second)
  const keys = active.map(({ labels }) => JSON.stringify(labels))
  for (const key of since.keys()) if (!keys.includes(key)) since.delete(key)
  return active.flatMap(({ labels, value }) => {
    const key = JSON.stringify(labels)
    const began = since.get(key) ?? second
    since.set(key, began)
    if (second - began < durationOf(rule.for ?? '0s')) return []
    const own = named(labels)
    const annotations = Object.fromEntries(
      Object.entries(rule.annotations ?? {}).map(([name, text]) => [name, shown(text, own, value)]),
    )
    return [{ labels: { ...own, ...rule.labels }, value, annotations }]
  })
}

/** Prometheus' templates, as far as the annotations use them. */
const shown = (text: string, labels: Labels, value: number): string =>
  text.replace(
    /\{\{ (\$\w+(?:\.\w+)?)( \| humanizePercentage)? \}\}/g,
    (_, of: string, percent) => {
      if (of !== '$value') return labels[of.replace('$labels.', '')] ?? ''
      return percent === undefined ? String(value) : `${Number((value * 100).toPrecision(4))}%`
    },
  )

/** Whether the expression of an alert holds at the instant 0, whatever its `for`. */
export function isActive(name: string, series: readonly Series[]): boolean {
  const rule = rules.find(({ alert }) => alert === name)
  if (!rule) throw new Error(`there is no alert ${name}`)
  return evaluate(rule.expr, series, 0).length > 0
}

/** The samples of one scrape, as series of one sample. @param target  labels of the scraped process */
export const scraped = (text: string, target: Labels, second: number): Series[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', list = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const own = Array.from(list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label, text]) => [
        label,
        text,
      ])
      const labels = { __name__: name, ...target, ...(Object.fromEntries(own) as Labels) }
      return { labels, samples: [[second, Number(value)] as const] }
    })
