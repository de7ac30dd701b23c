import type { Edit, SqlBody } from './sql-body.ts'

/** Drops conjuncts, alternatives and whole conditions. */
export function conditionEdits(body: SqlBody): readonly Edit[] {
  return body.tokens.flatMap((token, index) =>
    token.type === 'word' && body.isExpression(index) && body.at(index - 1) !== '.'
      ? [...operandEdits(body, index), ...wholeEdits(body, index)]
      : [],
  )
}

/** Words that a condition follows. */
const starts: ReadonlySet<string> = new Set([
  'where',
  'having',
  'on',
  'if',
  'elsif',
  'when',
  'while',
])

/** Words that end a condition. */
const ends: ReadonlySet<string> = new Set(
  'then loop group order limit returning for window union except having where inner cross join on from as do else end set offset'.split(
    ' ',
  ),
)
/** Words that end a condition unless they name a function. */
const joins: ReadonlySet<string> = new Set(['left', 'right', 'full'])

const isEnd = (body: SqlBody, index: number): boolean => {
  const text = body.at(index)
  if (text === ',') return true
  if (text === 'from') return body.at(index - 1) !== 'distinct'
  return ends.has(text) || (joins.has(text) && body.at(index + 1) !== '(')
}

const isConnective = (body: SqlBody, index: number): boolean =>
  body.at(index) === 'or' || (body.at(index) === 'and' && !body.isOfBetween(index))

/** Whether a condition follows this word. */
function isStart(body: SqlBody, index: number): boolean {
  const text = body.at(index)
  if (!starts.has(text)) return false
  if (text === 'on') return body.at(index + 1) !== 'conflict' && body.at(index - 1) !== 'distinct'
  if (text === 'if') return body.at(index - 1) !== 'end' && body.at(index + 1) !== 'exists'
  if (text !== 'when') return true
  // The conditions of an exception handler are names, and `case x when y` compares values.
  return body.isInCase(index)
    ? isSearched(body, index)
    : ['exit', 'continue'].includes(body.at(index - 1))
}

/** Whether the `case` around a `when` has no operand. */
function isSearched(body: SqlBody, index: number): boolean {
  let open = 0
  for (let n = index - 1; n >= 0; n -= 1) {
    if (body.at(n) === 'end') open += 1
    if (body.at(n) !== 'case') continue
    if (open === 0) return body.at(n + 1) === 'when'
    open -= 1
  }
  return false
}

/** Replaces the operand after this word by the value that leaves the others to decide. */
function operandEdits(body: SqlBody, index: number): Edit[] {
  const isNext = isConnective(body, index)
  const isGroup = body.at(index - 1) === '(' && !['select', 'with'].includes(body.at(index))
  if (!isNext && !isStart(body, index) && !isGroup) return []
  const first = isGroup && !isNext ? index : index + 1
  const end = body.endOf(first, (n) => isConnective(body, n) || isEnd(body, n))
  const next = isConnective(body, end) ? body.at(end) : ''
  if (isGroup && !isNext && next === '') return []
  const before = isNext ? body.at(index) : ''
  if (before === 'and' || next === 'and') return [body.edit(first, end, 'true')]
  if (before === 'or' || next === 'or') return [body.edit(first, end, 'false')]
  return [body.edit(first, end, neverOf(body, index))]
}

/** Makes a condition of a branch never true. */
function wholeEdits(body: SqlBody, index: number): Edit[] {
  if (!isStart(body, index)) return []
  const end = body.endOf(index + 1, (n) => isEnd(body, n))
  return [body.edit(index + 1, end, neverOf(body, index))]
}

/** A branch without its condition is dropped, a selection without its condition takes every row. */
const neverOf = (body: SqlBody, index: number): string =>
  ['where', 'having', 'on'].includes(body.at(index)) ? 'true' : 'false'
