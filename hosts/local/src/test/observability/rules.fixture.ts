import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { repository } from '../documents/documents.fixture.ts'
import { evaluate, type Labels, type Series } from './promql.fixture.ts'

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
      const own = Array.from(list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label, text]) => [label, text])
      const labels = { __name__: name, ...target, ...(Object.fromEntries(own) as Labels) }
      return { labels, samples: [[second, Number(value)] as const] }
    })
