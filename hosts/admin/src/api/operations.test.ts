import { expect, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'
import { isGroupOf } from './command-name.ts'
import { commonFlags } from './members.ts'
import { operatorDocument, methods } from './openapi.ts'
import { exampleOfCommand } from './example.ts'
import { commandWords, type Operation, operationsOf } from './operations.ts'

const document = await operatorDocument()
const operations = operationsOf(document)
const nameOf = (operation: Operation): string => commandWords(operation).join(' ')

const duplicates = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index)

test('every operation of the document has exactly one command', () => {
  const documented = Object.values(document.paths).flatMap((item) =>
    methods.flatMap((method) => item[method]?.operationId ?? []),
  )
  expect(operations.map(({ id }) => id)).toEqual(documented)
  expect(documented.length).toBeGreaterThan(20)
  expect(duplicates(operations.map(nameOf))).toEqual([])
})

test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
  '%s has one option for each member, and none clashes with a common one',
  (_, { members }) => {
    const flags = members.map(({ flag }) => flag)
    expect(duplicates(flags)).toEqual([])
    expect(flags.filter((flag) => (commonFlags as readonly string[]).includes(flag))).toEqual([])
  },
)

/** Splits a command line as a POSIX shell does, for what `exampleOfCommand` quotes. */
const words = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')

test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
  'the example in the help of %s sends the example of the document',
  async (_, operation) => {
    await using server = await apiServer({ status: 200, body: { data: [], next_cursor: null } })
    const [, ...args] = words(exampleOfCommand(operation))
    const { code, error } = await admin([...args, '--json'], { env: server.env })
    expect({ code, error }).toEqual({ code: 0, error: '' })
    const [{ method, path, body, headers } = { headers: {} }] = server.received
    expect(method).toBe(operation.method.toUpperCase())
    const pattern = operation.path.replaceAll(/\{[^}]+\}/g, '[^/?]+')
    expect(path).toMatch(new RegExp(`^${pattern}([?].*)?$`))
    expect(body).toEqual(operation.takesBody ? (operation.exampleBody ?? {}) : undefined)
    expect(headers.authorization).toBe('Bearer the-token')
  },
)

test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
  'the help of %s has its summary, its members and an example',
  async (name, operation) => {
    const { code, out } = await admin([...commandWords(operation), '--help'])
    expect(code).toBe(0)
    expect(out).toContain(operation.summary.split(' ')[0])
    for (const { flag } of operation.members) expect(out).toContain(flag)
    expect(out).toContain(`Example:\n  quipu-admin ${name}`)
  },
)

test.each([...new Set(operations.map(({ group }) => group))])(
  'the document of %s alone has its operations',
  async (group) => {
    const ofGroup = await operatorDocument((tag) => isGroupOf(tag, group))
    const inGroup = (each: Operation): boolean => each.group === group
    expect(operationsOf(ofGroup).filter(inGroup)).toEqual(operations.filter(inGroup))
    expect(Object.keys(ofGroup.paths).length).toBeLessThan(Object.keys(document.paths).length)
  },
)

test('a word that names no group has the whole document', async () => {
  expect(await operatorDocument((tag) => isGroupOf(tag, '--help'))).toEqual(document)
})
