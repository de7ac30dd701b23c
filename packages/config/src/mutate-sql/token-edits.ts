import type { Edit, SqlBody } from './sql-body.ts'

/** The changes of one token, or of a few that belong together. */
export function tokenEdits(body: SqlBody): readonly Edit[] {
  return body.tokens.flatMap((token, index) => {
    if (!body.isExpression(index) || body.at(index - 1) === '.') return []
    if (token.type === 'operator') return operatorEdits(body, index)
    if (token.type === 'number') return numberEdits(body, index)
    return token.type === 'word' ? wordEdits(body, index) : []
  })
}

const operators: ReadonlyMap<string, string> = new Map([
  ['=', '<>'],
  ['<>', '='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
])

function operatorEdits(body: SqlBody, index: number): Edit[] {
  const { text = '' } = body.tokens[index] ?? {}
  const to = operators.get(text)
  const isUnary = ['', '(', ',', '['].includes(body.at(index - 1))
  const isAssignment = body.isAssignment(index) || body.at(index - 2) === 'diagnostics'
  if (to === undefined || isUnary || isAssignment) return []
  return [body.edit(index, index + 1, to)]
}

function numberEdits(body: SqlBody, index: number): Edit[] {
  const text = body.at(index)
  if (text.includes('.')) return []
  // A second row would not be read where one is expected.
  const isLimit = body.at(index - 1) === 'limit'
  return [BigInt(text) + 1n, BigInt(text) - 1n]
    .filter((to) => to >= 0n && !(isLimit && to === 2n))
    .map((to) => body.edit(index, index + 1, String(to)))
}

/** Words that stand for another, followed by a bracket where the third member says so. */
const words: ReadonlyMap<string, readonly [to: string, isCall: boolean]> = new Map([
  ['true', ['false', false]],
  ['false', ['true', false]],
  ['greatest', ['least', true]],
  ['least', ['greatest', true]],
  ['min', ['max', true]],
  ['max', ['min', true]],
  ['bool_or', ['bool_and', true]],
  ['bool_and', ['bool_or', true]],
  ['any', ['all', true]],
  ['all', ['any', true]],
  ['desc', ['asc', false]],
])

function wordEdits(body: SqlBody, index: number): Edit[] {
  const text = body.at(index)
  const replaced = words.get(text)
  if (text === 'all' && body.at(index - 1) === 'union') return []
  if (replaced && (!replaced[1] || body.at(index + 1) === '('))
    return [body.edit(index, index + 1, replaced[0])]
  if (text === 'and' && !body.isOfBetween(index)) return [body.edit(index, index + 1, 'or')]
  if (text === 'or') return [body.edit(index, index + 1, 'and')]
  if (text === 'is') return isEdits(body, index)
  if (text === 'not') return notEdits(body, index)
  if (text === 'exists' && !['not', 'if'].includes(body.at(index - 1)))
    return [body.edit(index, index + 1, 'not exists')]
  if (text === 'for') return lockEdits(body, index)
  if (text === 'coalesce') return argumentEdits(body, index)
  return []
}

function isEdits(body: SqlBody, index: number): Edit[] {
  const isNot = body.at(index + 1) === 'not'
  if (!['null', 'distinct'].includes(body.at(index + (isNot ? 2 : 1)))) return []
  return [body.edit(index, index + (isNot ? 2 : 1), isNot ? 'is' : 'is not')]
}

function notEdits(body: SqlBody, index: number): Edit[] {
  const isOther =
    body.at(index - 1) === 'is' || ['null', 'materialized'].includes(body.at(index + 1))
  return isOther ? [] : [body.edit(index, index + 2, body.textOf(index + 1, index + 2))]
}

/** Drops a row lock, and `skip locked` alone. */
function lockEdits(body: SqlBody, index: number): Edit[] {
  let end = index + 1
  while (['no', 'key'].includes(body.at(end))) end += 1
  if (!['update', 'share'].includes(body.at(end))) return []
  end += 1
  if (body.at(end) === 'of') end += 2
  if (!body.follows(end, 'skip', 'locked')) return [body.edit(index, end, '')]
  return [body.edit(index, end + 2, ''), body.edit(end, end + 2, '')]
}

/** Each argument alone. */
function argumentEdits(body: SqlBody, index: number): Edit[] {
  const starts = [index + 2]
  let end = body.endOf(index + 2, (n) => body.at(n) === ',')
  while (body.at(end) === ',') {
    starts.push(end + 1)
    end = body.endOf(end + 1, (n) => body.at(n) === ',')
  }
  return starts.map((start, n) => {
    const until = (starts[n + 1] ?? end + 1) - 1
    return body.edit(index, end + 1, `(${body.textOf(start, until)})`)
  })
}
