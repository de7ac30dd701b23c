import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { repository } from '../documents/documents.fixture.ts'

export type Labels = Readonly<Record<string, string>>

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

type Panel = { readonly targets?: readonly { readonly expr: string }[] }
const dashboard = JSON.parse(operationsFile('dashboard.json')) as { readonly panels: Panel[] }

/** The expressions of docs/operations/dashboard.json, with a fixed interval. */
export const panelExpressions: readonly string[] = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
)

/** A selector of a metric in an expression: its name, and its matchers. */
export type Selector = {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[]
}

/**
 * The selectors of metrics of processes in an expression, and the labels that it groups or matches by. Whether the
 * expression is valid is decided by promtool.
 */
export function usedIn(expr: string): { readonly selectors: readonly Selector[]; readonly grouped: readonly string[] } {
  const metrics = /\b((?:quipu|nodejs|process)_\w+)(?:\{([^}]*)\})?/g
  const selectors = Array.from(expr.matchAll(metrics), ([, metric = '', list = '']) => ({
    metric,
    matchers: Array.from(list.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g), ([, label = '', op = '', value = '']) => ({
      label,
      op,
      value,
    })),
  }))
  const grouped = [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  return { selectors, grouped: grouped.filter((label) => label !== '') }
}

export type Exposed = { readonly labels: Labels; readonly value: number }

/** The samples of one scrape; the name of each is its label `__name__`. */
export const scraped = (text: string): readonly Exposed[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', list = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const own = Array.from(list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label, text]) => [label, text])
      return { labels: { __name__: name, ...(Object.fromEntries(own) as Labels) }, value: Number(value) }
    })
