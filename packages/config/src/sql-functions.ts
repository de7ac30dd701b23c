import type { SourceFile } from './source-file.ts'

/** Lines that a function in SQL may have, as one in TypeScript. */
const linesMax = 80

/** Parameters that a function in SQL may take, those apart that it returns: more are members of one `jsonb`. */
const parametersMax = 13

const starts = /^(?=create (?:or replace )?function )/m
const body = /^(?:.*\bas \$\$|begin atomic|return\b)/m

/** The functions that commit payouts take a batch as parallel arrays, one a column: `jsonb` costs a tenth more CPU a payout. */
const batched: readonly string[] = [
  'accept_payouts',
  'decide_payouts',
  'insert_ended_payouts',
  'settle_payouts',
  'decide_settlements',
]

/** The text of each function that a migration creates, up to its last line. */
function functionsOf(text: string): readonly string[] {
  return text
    .split(starts)
    .filter((part) => part.startsWith('create '))
    .map((part) => {
      const from = body.exec(part)
      const [first = '', at = 0] = [from?.[0], from?.index]
      const end = first.endsWith('$$') ? /^\$\$.*;$/m : first === 'begin atomic' ? /^end;$/m : /;$/m
      const rest = part.slice(at + first.length)
      const last = end.exec(rest)
      return part.slice(0, at + first.length + (last ? last.index + last[0].length : 0))
    })
}

/** How many parameters a function takes. */
function parameterCount(text: string): number {
  const list = text.slice(text.indexOf('(') + 1).replaceAll(/--.*/g, '')
  const parameters = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === ')' && depth === 0) break
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
    if (letter === ',' && depth === 0) parameters.push('')
    else parameters[parameters.length - 1] += letter
  }
  return parameters.filter((each) => each.trim() !== '' && !each.trim().startsWith('out ')).length
}

/** Functions of migrations that are longer than those in TypeScript may be, or take more than a reader can match. */
export function sqlFunctionBreaches({ path, text }: SourceFile): string[] {
  if (!/\/migrations\/[^/]*\.sql$/.test(path)) return []
  return functionsOf(text).flatMap((each) => {
    const [, name = ''] = /function (?:\w+\.)?(\w+)/.exec(each) ?? []
    const [lines, parameters] = [each.split('\n').length, parameterCount(each)]
    return [
      ...(lines > linesMax ? [`${path}: ${name} has ${lines} lines: divide it, at most ${linesMax}`] : []),
      ...(parameters > parametersMax && !batched.includes(name)
        ? [`${path}: ${name} takes ${parameters} parameters: make them members of one, at most ${parametersMax}`]
        : []),
    ]
  })
}
