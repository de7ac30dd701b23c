import { randomUUID } from 'node:crypto'
import { usageError } from '../exit.ts'
import type { ApiRequest } from '../connection/call-api.ts'
import { instantOf } from './instant.ts'
import type { Member } from './members.ts'
import type { Operation } from './operations.ts'

/** The parts of a command line for an operation: values by the members' flags, and the body of `--body`. */
export type Given = {
  readonly values: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

/**
 * The request of a command line.
 *
 * @throws CommandError naming every required member that is missing
 */
export function requestOf(operation: Operation, given: Given): ApiRequest {
  const missing = operation.members.filter((member) => isMissing(member, given))
  if (missing.length > 0) throw usageError(`Missing: ${missing.map(({ flag }) => `--${flag}`).join(', ')}`)
  const valueOf = (member: Member): unknown => {
    const text = given.values[member.flag]
    return text === undefined ? undefined : toJson(member, text)
  }
  const inPlace = (place: Member['in']) =>
    operation.members.filter((member) => member.in === place && given.values[member.flag] !== undefined)
  const path = inPlace('path').reduce(
    (path, member) => path.replace(`{${member.name}}`, encodeURIComponent(textOf(valueOf(member)))),
    operation.path,
  )
  const query = new URLSearchParams(inPlace('query').map((member) => [member.name, textOf(valueOf(member))])).toString()
  const headers = Object.fromEntries(inPlace('header').map((member) => [member.name, textOf(valueOf(member))]))
  const body = operation.takesBody
    ? bodyOf(
        given.body,
        inPlace('body').map((member) => [member.name, valueOf(member)]),
      )
    : undefined
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...generatedHeaders(operation), ...headers },
    body,
  }
}

/** A key for one execution of a command: repeating the command line needs the same key. */
const generatedHeaders = (operation: Operation): Record<string, string> =>
  Object.fromEntries(operation.members.filter(isIdempotencyKey).map(({ name }) => [name, randomUUID()]))

/** The key that makes a request repeatable; the program generates one. */
export const isIdempotencyKey = ({ in: place, name }: Member): boolean =>
  place === 'header' && name.toLowerCase() === 'idempotency-key'

/** The key that a request was sent with, if its operation has one. */
export function idempotencyKeyOf(operation: Operation, { headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const name = operation.members.find(isIdempotencyKey)?.name
  return name === undefined ? undefined : headers[name]
}

const isMissing = (member: Member, { values, body }: Given): boolean =>
  member.required &&
  !isIdempotencyKey(member) &&
  values[member.flag] === undefined &&
  !(member.in === 'body' && body !== undefined)

/** Members that an option names go into `--body`'s object, or into a new one. */
function bodyOf(base: unknown, members: readonly (readonly [name: string, value: unknown])[]): unknown {
  if (members.length === 0) return base ?? {}
  const body: Record<string, unknown> = typeof base === 'object' && base !== null ? { ...base } : {}
  for (const [name, value] of members) {
    const keys = name.split('.')
    const last = keys.pop() ?? name
    let place = body
    for (const key of keys) {
      const inner = { ...(place[key] as Record<string, unknown> | undefined) }
      place[key] = inner
      place = inner
    }
    place[last] = value
  }
  return body
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value)

/** The API refuses what does not fit, and names the member; only JSON must be readable here. */
function toJson({ kind, flag, name, isInstant }: Member, value: string | readonly string[]): unknown {
  const text = typeof value === 'string' ? value : value.join(',')
  switch (kind) {
    case 'text':
      return isInstant ? instantOf(text, flag, name === 'to', new Date()) : text
    case 'whole':
      return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'list':
      return [value].flat().flatMap((each) => each.split(','))
    case 'json':
      return parsed(text, `--${flag}`)
  }
}

/** @throws CommandError when the text is not JSON */
export function parsed(text: string, flag: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(`${flag} must be JSON.`)
  }
}
