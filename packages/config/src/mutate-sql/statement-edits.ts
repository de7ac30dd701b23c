import type { Edit, SqlBody } from './sql-body.ts'

/** Drops statements, assignments of an `update`, and writes of a `with` whose rows nothing reads. */
export function statementEdits(body: SqlBody): readonly Edit[] {
  const begin = body.tokens.findIndex(({ text }) => text === 'begin')
  return body.tokens.flatMap((_, index) => [
    ...(begin >= 0 && index > begin ? droppedStatement(body, index) : []),
    ...droppedAssignment(body, index),
    ...droppedWrite(body, index),
  ])
}

/** Words after which a statement of PL/pgSQL begins. */
const before: ReadonlySet<string> = new Set([';', 'begin', 'then', 'else', 'loop'])

/** Words with which a statement begins that can be dropped. */
const droppable: ReadonlySet<string> = new Set(
  'perform insert update delete raise return execute continue exit select with'.split(' '),
)

function droppedStatement(body: SqlBody, index: number): Edit[] {
  if (!before.has(body.at(index - 1)) || body.isInCase(index)) return []
  const end = body.endOf(index, () => false)
  // `name := …` or `name[…] := …`
  const to = body.at(index + 1) === '[' ? body.endOf(index + 2, () => false) + 1 : index + 1
  const isAssignment = body.at(to) === ':='
  if (!droppable.has(body.at(index)) && !isAssignment) return []
  return body.at(end) === ';' ? [body.edit(index, end, 'null')] : []
}

function droppedAssignment(body: SqlBody, index: number): Edit[] {
  if (!body.isAssignment(index)) return []
  const end = body.endOf(index, (n) => ['where', 'from', 'returning', ','].includes(body.at(n)))
  const isLast = body.at(end) !== ','
  const isFirst = body.at(index - 2) === 'set'
  if (isLast && isFirst) return [] // what remains is no statement
  return [isLast ? body.edit(index - 2, end, '') : body.edit(index - 1, end + 1, '')]
}

function droppedWrite(body: SqlBody, index: number): Edit[] {
  const isWrite =
    body.follows(index + 1, 'as', '(') &&
    ['insert', 'update', 'delete'].includes(body.at(index + 3))
  const name = body.at(index)
  const isRead = body.tokens.filter(({ text }) => text === name).length > 1
  if (!isWrite || isRead) return []
  const end = body.endOf(index + 3, () => false)
  return [body.edit(index + 3, end, 'select')]
}
