import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

// Evaluates what the rules of this repository use of PromQL, on the tree of Prometheus' own grammar. Anything else
// throws. `rate` is not extrapolated to the ends of its window, which ratios do not show.

export type Labels = Readonly<Record<string, string>>
export type Sample = { readonly labels: Labels; readonly value: number }
/** One series, its name in `__name__`; samples by their second, oldest first. */
export type Series = { readonly labels: Labels; readonly samples: (readonly [second: number, value: number])[] }

type Value = number | readonly Sample[]
type Context = { readonly text: string; readonly series: readonly Series[]; readonly at: number }

const lookbackSeconds = 300

/** The root of an expression. @throws for an error of syntax */
export function parsed(text: string): SyntaxNode {
  const tree = parser.parse(text)
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) throw new Error(`PromQL: syntax error at ${from} of ${text}`)
    },
  })
  const root = tree.topNode.firstChild
  if (!root) throw new Error(`PromQL: nothing in ${text}`)
  return root
}

/** The instant vector of an expression. */
export function evaluate(text: string, series: readonly Series[], at: number): readonly Sample[] {
  const value = valueOf(parsed(text), { text, series, at })
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}

const textOf = ({ text }: Pick<Context, 'text'>, { from, to }: SyntaxNode): string => text.slice(from, to)

function childOf(node: SyntaxNode, ...names: string[]): SyntaxNode {
  for (const name of names) {
    const child = node.getChild(name)
    if (child) return child
  }
  throw new Error(`PromQL: ${node.name} without ${names.join(', ')}`)
}

const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}

function valueOf(node: SyntaxNode, context: Context): Value {
  switch (node.name) {
    case 'NumberDurationLiteral':
      return Number(textOf(context, node))
    case 'ParenExpr':
      return valueOf(node.firstChild ?? node, context)
    case 'VectorSelector':
      return selected(node, context)
    case 'AggregateExpr':
      return aggregated(node, context)
    case 'FunctionCall':
      return called(node, context)
    case 'BinaryExpr':
      return combined(node, context)
    default:
      throw new Error(`PromQL: ${node.name} is not evaluated here`)
  }
}

export type Matcher = { readonly label: string; readonly op: string; readonly value: string }
export type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] }

export function selectorOf(node: SyntaxNode, context: Pick<Context, 'text'>): Selector {
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => ({
    label: textOf(context, childOf(matcher, 'LabelName')),
    op: textOf(context, childOf(matcher, 'MatchOp')),
    value: JSON.parse(textOf(context, childOf(matcher, 'StringLiteral'))) as string,
  }))
  return { metric: textOf(context, childOf(node, 'Identifier')), matchers }
}

const matches = (labels: Labels, { label, op, value }: Matcher): boolean => {
  const own = labels[label] ?? ''
  const isMatch = op.includes('~') ? new RegExp(`^(?:${value})$`).test(own) : own === value
  return op.startsWith('!') ? !isMatch : isMatch
}

function seriesOf(node: SyntaxNode, context: Context): readonly Series[] {
  const { metric, matchers } = selectorOf(node, context)
  return context.series.filter(
    ({ labels }) => labels['__name__'] === metric && matchers.every((matcher) => matches(labels, matcher)),
  )
}

const selected = (node: SyntaxNode, context: Context): readonly Sample[] =>
  seriesOf(node, context).flatMap(({ labels, samples }) => {
    const newest = samples.findLast(([second]) => second <= context.at)
    if (!newest || newest[0] <= context.at - lookbackSeconds) return []
    return [{ labels, value: newest[1] }]
  })

/** The labels without the metric's name. */
const named = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'))
const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).toSorted())
const only = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)))

export const groupingOf = (node: SyntaxNode | null, context: Pick<Context, 'text'>): string[] =>
  (node?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []).map((name) => textOf(context, name))

function aggregated(node: SyntaxNode, context: Context): readonly Sample[] {
  const by = groupingOf(node.getChild('AggregateModifier'), context)
  const body = childOf(node, 'FunctionCallBody')
  const argument = valueOf(body.firstChild ?? body, context)
  const groups = new Map<string, { labels: Labels; values: number[] }>()
  for (const { labels, value } of argument as readonly Sample[]) {
    const own = only(labels, by)
    const group = groups.get(keyOf(own)) ?? { labels: own, values: [] }
    groups.set(keyOf(own), group)
    group.values.push(value)
  }
  const aggregate = aggregates[textOf(context, childOf(node, 'AggregateOp'))]
  if (!aggregate) throw new Error(`PromQL: not evaluated here: ${textOf(context, node)}`)
  return Array.from(groups.values(), ({ labels, values }) => ({ labels, value: aggregate(values) }))
}

const aggregates: Readonly<Record<string, (values: readonly number[]) => number>> = {
  max: (values) => Math.max(...values),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  count: (values) => values.length,
}

function called(node: SyntaxNode, context: Context): Value {
  const name = textOf(context, childOf(node, 'FunctionIdentifier'))
  const body = childOf(node, 'FunctionCallBody')
  const argument = body.firstChild ?? body
  if (name === 'absent') {
    const found = valueOf(argument, context) as readonly Sample[]
    return found.length > 0 ? [] : [{ labels: {}, value: 1 }]
  }
  const windowed = { rate: rateOf, changes: changesOf }[name]
  if (!windowed) throw new Error(`PromQL: ${name} is not evaluated here`)
  const seconds = durationOf(textOf(context, childOf(argument, 'DurationExpr')))
  return seriesOf(childOf(argument, 'VectorSelector'), context).flatMap(({ labels, samples }) => {
    const inWindow = samples.filter(([second]) => second > context.at - seconds && second <= context.at)
    const value = windowed(inWindow)
    return value === undefined ? [] : [{ labels: named(labels), value }]
  })
}

type Samples = readonly (readonly [number, number])[]

function rateOf(samples: Samples): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || first === last) return undefined
  const increase = samples.slice(1).reduce((sum, [, value], before) => {
    const previous = samples[before]?.[1] ?? 0
    return sum + (value < previous ? value : value - previous)
  }, 0)
  return increase / (last[0] - first[0])
}

const changesOf = (samples: Samples): number | undefined =>
  samples.length === 0
    ? undefined
    : samples.slice(1).filter(([, value], before) => value !== samples[before]?.[1]).length

/** Seconds of `5m`. */
function durationOf(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit]
  if (seconds === undefined) throw new Error(`PromQL: ${text} is no duration that is read here`)
  return Number(count) * seconds
}

const operators: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  Div: (a, b) => a / b,
  Eql: (a, b) => a === b,
  EqlC: (a, b) => a === b,
  Neq: (a, b) => a !== b,
  Gtr: (a, b) => a > b,
  Gte: (a, b) => a >= b,
  Lss: (a, b) => a < b,
  Lte: (a, b) => a <= b,
}

function combined(node: SyntaxNode, context: Context): Value {
  const children = childrenOf(node)
  const [leftNode, operator, right] = [children[0], children[1]?.name ?? '', children.at(-1)]
  if (!leftNode || !right) throw new Error('PromQL: an operator without operands')
  const [a, b] = [valueOf(leftNode, context), valueOf(right, context)]
  const matching = node.getChild('MatchingModifierClause')
  const on = matching && groupingOf(matching, context)
  const key = (labels: Labels): string => keyOf(on ? only(labels, on) : named(labels))
  if (operator === 'And' || operator === 'Unless') {
    const keys = new Set((b as readonly Sample[]).map(({ labels }) => key(labels)))
    return (a as readonly Sample[]).filter(({ labels }) => keys.has(key(labels)) === (operator === 'And'))
  }
  const operate = operators[operator]
  if (!operate) throw new Error(`PromQL: the operator ${operator} is not evaluated here`)
  const applied = (labels: Labels, x: number, y: number, kept: number): Sample[] => {
    const result = operate(x, y)
    if (typeof result === 'number') return [{ labels: named(labels), value: result }]
    return result ? [{ labels, value: kept }] : []
  }
  if (typeof a === 'number' && typeof b === 'number') return Number(operate(a, b))
  if (typeof a === 'number')
    return (b as readonly Sample[]).flatMap(({ labels, value }) => applied(labels, a, value, value))
  if (typeof b === 'number') return a.flatMap(({ labels, value }) => applied(labels, value, b, value))
  const others = new Map(b.map((sample) => [key(sample.labels), sample.value]))
  return a.flatMap(({ labels, value }) => {
    const other = others.get(key(labels))
    return other === undefined ? [] : applied(labels, value, other, value)
  })
}
