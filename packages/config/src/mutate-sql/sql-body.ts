import type { SqlFunction } from './sql-functions.ts'
import { type Token, tokensOf } from './sql-tokens.ts'

/** One change of a function's text. */
export type Edit = { readonly start: number; readonly end: number; readonly to: string }

/** A function's body as tokens, with what their neighbours mean for them. */
export type SqlBody = {
  readonly tokens: readonly Token[]
  /** The token's text, or `''` outside of the body. */
  at(index: number): string
  /** Whether these tokens follow each other from here. */
  follows(index: number, ...texts: readonly string[]): boolean
  /** Whether the token is in no `raise`. */
  isExpression(index: number): boolean
  /** Whether a `=` assigns in an `update`. */
  isAssignment(index: number): boolean
  /** Whether an `and` belongs to a `between`. */
  isOfBetween(index: number): boolean
  isInCase(index: number): boolean
  /** Replaces the tokens from `first` up to, but without, `end`. */
  edit(first: number, end: number, to: string): Edit
  textOf(first: number, end: number): string
  /** The first token from `from` on that is a `;`, closes the bracket around it, or is such an end at its depth. */
  endOf(from: number, isEnd: (index: number) => boolean): number
}

export function sqlBody({ text: source, body }: SqlFunction): SqlBody {
  const tokens = tokensOf(source, body.start, body.end)
  const cases = openCases(tokens)
  const [raised, assigned, ranged] = [
    inRaise(tokens),
    assignments(tokens, cases),
    ofBetween(tokens),
  ]
  const at = (index: number): string => tokens[index]?.text ?? ''
  const edit = (first: number, end: number, to: string): Edit => ({
    start: tokens[first]?.start ?? 0,
    end: tokens[end - 1]?.end ?? 0,
    to,
  })
  const depthOf = (index: number): number => tokens[index]?.depth ?? 0
  // A `case` opens with the word, so an operand that begins with it is outside.
  const casesAt = (index: number): number => (cases[index] ?? 0) - (at(index) === 'case' ? 1 : 0)
  return {
    tokens,
    at,
    follows: (index, ...texts) => texts.every((text, n) => at(index + n) === text),
    isExpression: (index) => !raised.has(index),
    isAssignment: (index) => assigned.has(index),
    isOfBetween: (index) => ranged.has(index),
    isInCase: (index) => (cases[index] ?? 0) > 0,
    edit,
    textOf: (first, end) => {
      const { start, end: until } = edit(first, end, '')
      return source.slice(start, until)
    },
    endOf: (from, isEnd) => {
      const [depth, open] = [depthOf(from), casesAt(from)]
      for (let index = from; index < tokens.length; index += 1) {
        if (depthOf(index) < depth || at(index) === ';') return index
        if (depthOf(index) === depth && casesAt(index) <= open && isEnd(index)) return index
      }
      return tokens.length
    },
  }
}

/** The tokens of each `raise`: its condition names and texts are no expressions. */
function inRaise(tokens: readonly Token[]): ReadonlySet<number> {
  let isRaise = false
  const raised = tokens.map(({ text }) => {
    isRaise = text === 'raise' || (isRaise && text !== ';')
    return isRaise
  })
  return new Set(raised.flatMap((is, index) => (is ? [index] : [])))
}

/** How many `case` are open at each token. */
function openCases(tokens: readonly Token[]): readonly number[] {
  const open: string[] = []
  return tokens.map(({ text }, index) => {
    const isEnd = text === 'end' && !['if', 'loop'].includes(tokens[index + 1]?.text ?? '')
    if (text === 'case' || text === 'begin') open.push(text)
    const count = open.filter((each) => each === 'case').length
    if (isEnd) open.pop()
    return count
  })
}

const setEnds: ReadonlySet<string> = new Set(['where', 'from', 'returning', ';'])

/** Each `=` that follows the name of a column in the list of a `set`. */
function assignments(tokens: readonly Token[], cases: readonly number[]): ReadonlySet<number> {
  const assigned = new Set<number>()
  tokens.forEach(({ text: word, depth }, start) => {
    if (word !== 'set' || tokens[start - 1]?.text === '.') return
    let isName = true
    for (const [offset, token] of tokens.slice(start + 1).entries()) {
      const index = start + 1 + offset
      const isHere = token.depth === depth && cases[index] === cases[start]
      if (token.depth < depth || (isHere && setEnds.has(token.text))) break
      if (isHere && token.text === '=' && isName) assigned.add(index)
      if (isHere && (token.text === '=' || token.text === ',')) isName = token.text === ','
    }
  })
  return assigned
}

const ofBetween = (tokens: readonly Token[]): ReadonlySet<number> =>
  new Set(
    tokens.flatMap(({ text, depth }, index) =>
      text === 'between'
        ? [tokens.findIndex((each, n) => n > index && each.depth === depth && each.text === 'and')]
        : [],
    ),
  )
