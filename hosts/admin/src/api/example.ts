import { memberAt } from '@quipu/client/terminal'
import { commandWords, type Operation } from './operations.ts'
import { isArgument, type Member } from './members.ts'

const program = 'quipu-admin'

/** Quoted for a POSIX shell, if it needs to be. */
const quoted = (text: string): string => (/^[\w./:@,+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.every((each) => typeof each !== 'object')
  return isList ? value.join(',') : JSON.stringify(value)
}

function exampleOf(member: Member, body: unknown): string | undefined {
  if (member.in !== 'body') return member.required ? (member.example ?? '…') : undefined
  const value = memberAt(body, member.name)
  if (value !== undefined) return textOf(value)
  return member.required ? (member.example ?? '…') : undefined
}

/** A command line that calls the operation with the document's examples. */
export function exampleOfCommand(operation: Operation): string {
  const words = operation.members.flatMap((member) => {
    if (member.in === 'header') return []
    const text = exampleOf(member, operation.exampleBody)
    if (text === undefined) return []
    return isArgument(member) ? [quoted(text)] : [`--${member.flag} ${quoted(text)}`]
  })
  return [program, ...commandWords(operation), ...words].join(' ')
}
