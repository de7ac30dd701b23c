/** A piece of SQL. Comments and white space are between tokens. */
export type Token = {
  readonly type: 'word' | 'number' | 'text' | 'operator' | 'punctuation'
  /** Words in lower case, everything else as written. */
  readonly text: string
  /** Offsets in the source, the end exclusive. */
  readonly start: number
  readonly end: number
  /** How many brackets are open around it. A bracket has the depth of what surrounds it. */
  readonly depth: number
}

const patterns = [
  ['space', /\s+|--[^\n]*/y],
  ['text', /'(?:[^']|'')*'/y],
  ['word', /[A-Za-z_]\w*|"(?:[^"]|"")*"/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['operator', /[-+*/<>=~!@#%^&|?:]+?(?=--)|[-+*/<>=~!@#%^&|?:]+/y],
  ['punctuation', /\$\d+|\$\w*\$|[()[\],;.]/y],
] as const

/** Splits a part of a source into tokens. @throws Error for a character that starts none */
export function tokensOf(source: string, start: number, end: number): readonly Token[] {
  const tokens: Token[] = []
  let depth = 0
  let at = start
  while (at < end) {
    const [type, text] = matchAt(source, at)
    if (text === ')' || text === ']') depth -= 1
    if (type !== 'space') {
      const written = type === 'word' ? text.toLowerCase() : text
      tokens.push({ type, text: written, start: at, end: at + text.length, depth })
    }
    if (text === '(' || text === '[') depth += 1
    at += text.length
  }
  return tokens
}

function matchAt(source: string, at: number): readonly [Token['type'] | 'space', string] {
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at
    const text = pattern.exec(source)?.[0]
    if (text !== undefined) return [type, text]
  }
  throw new Error(`no token of SQL begins with ${source.slice(at, at + 20)}`)
}
