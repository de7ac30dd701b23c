import { Argument, Command, Option } from 'commander'
import { readFile } from 'node:fs/promises'
import { text as textOfStream } from 'node:stream/consumers'
import { ApiError, callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs, withConnection } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { ageColumn, columnsOf, isColumn } from './columns.ts'
import { confirmName, isConfirmed } from './confirm.ts'
import type { Context } from '../context.ts'
import { aliasOf } from './command-name.ts'
import { idempotencyKeyOf, isIdempotencyKey, parsed, requestOf } from './build-request.ts'
import { exampleOfCommand } from './example.ts'
import { exportList } from './export-list.ts'
import { isArgument, type Member } from './members.ts'
import type { OpenApi } from './openapi.ts'
import { commandWords, type Operation, operationsOf } from './operations.ts'
import { runOperation } from './run-operation.ts'
import { withTenantIds } from './tenant-names.ts'

/** Adds one command for each operation of the document, in a group for each tag. */
export function addApiCommands(program: Command, document: OpenApi, context: Context): void {
  const groups = new Map<string, Command>()
  for (const operation of operationsOf(document)) {
    const command = commandOf(operation, document, context)
    if (commandWords(operation).length === 1) {
      program.addCommand(command)
      continue
    }
    const group = groups.get(operation.group) ?? groupOf(program, document, operation.group)
    groups.set(operation.group, group)
    group.addCommand(command)
  }
}

function groupOf(program: Command, document: OpenApi, name: string): Command {
  const tag = document.tags?.find((each) => each.name.toLowerCase().replaceAll(' ', '-') === name)
  const group = program.command(name).description(tag?.description ?? name)
  const alias = aliasOf(name)
  // A command of this program's own comes before a second name.
  const isFree = !program.commands.some((command) => command.name() === alias)
  return alias === undefined || !isFree ? group : group.alias(alias)
}

type OperationOptions = CommonOptions & {
  readonly all?: boolean
  readonly columns?: string
  readonly csv?: string
  readonly body?: string
  readonly only?: string
  readonly yes?: boolean
}

function commandOf(operation: Operation, document: OpenApi, context: Context): Command {
  const command = new Command(operation.verb)
    .summary(operation.summary)
    .description([operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('..', '.'))
  for (const member of operation.members)
    if (isArgument(member)) command.addArgument(argumentOf(member))
    else command.addOption(optionOf(member))
  if (operation.takesBody) command.option('--body <json>', 'the whole body as JSON; @file reads a file, - reads stdin')
  withConnection(command)
  if (operation.row !== undefined)
    command
      .option('--all', 'every page, not the first alone')
      .option('--columns <names>', 'columns by commas, with dots into objects')
      .option('--csv <file>', 'all that the filters leave as CSV in this file; - prints it')
  else if (operation.answers.length > 0)
    command.option('--only <member>', 'print this member of the answer alone, for scripts')
  if (isConfirmed(operation)) command.option('--yes', 'do not ask for the name, as on a terminal')
  command.addHelpText('after', `\nExample:\n  ${exampleOfCommand(operation)}`)
  return command.action(async (...received: unknown[]) => {
    const self = received.at(-1) as Command
    await run(operation, document, self, context)
  })
}

function argumentOf(member: Member): Argument {
  const argument = new Argument(`<${member.flag}>`, member.description)
  return member.choices.length > 0 ? argument.choices([...member.choices]) : argument
}

function optionOf(member: Member): Option {
  const isList = member.kind === 'list'
  const value = isList ? '<values...>' : `<${member.kind === 'text' ? 'text' : valueNames[member.kind]}>`
  const required = member.required && !isIdempotencyKey(member) ? 'Required.' : ''
  const example = member.example === undefined ? '' : `Example: ${member.example}`
  const about = isIdempotencyKey(member)
    ? 'Of the first attempt, when you repeat a request. Default: a new one'
    : [required, member.description, example].filter(Boolean).join(' ')
  const option = new Option(`--${member.flag} ${value}`, about)
  // A list also takes its values separated by commas, which commander does not compare.
  return member.choices.length === 0 || isList
    ? isList && member.choices.length > 0
      ? new Option(option.flags, `${about} (of: ${member.choices.join(', ')})`.trim())
      : option
    : option.choices([...member.choices])
}

const valueNames = { whole: 'number', boolean: 'bool', json: 'json', list: 'values' } as const

async function run(
  operation: Operation,
  document: OpenApi,
  command: Command,
  { terminal, env }: Context,
): Promise<void> {
  const options = command.opts<OperationOptions>()
  const connection = await connectionOf(options, env)
  const body = options.body === undefined ? undefined : await readBody(options.body)
  requireAnswered(operation, options.only)
  const given = { values: valuesOf(operation, command), body }
  requestOf(operation, given) // names what is missing
  if (operation.needsToken) requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const call = callApi(connection, timeoutMs(options.timeout))
  const values = await withTenantIds(operation, given.values, call)
  const request = requestOf(operation, { values, body })
  if (options.csv !== undefined)
    return exportList(
      connection,
      { path: request.path, file: options.csv, timeoutMs: timeoutMs(options.timeout) },
      terminal,
    )
  const columns = columnsFrom(document, operation, options.columns)
  if (options.yes !== true) await confirmName(operation, request, call, terminal)
  const { json = false, all = false, only } = options
  const printing = { json, all, columns, only }
  try {
    await runOperation({ operation, request, printing }, call, terminal)
  } catch (error) {
    const key = idempotencyKeyOf(operation, request)
    if (isUncertain(error) && key !== undefined) terminal.error(`To repeat it safely, add --idempotency-key ${key}\n`)
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.error, new Map(operation.members.map(({ name, flag }) => [name, flag])))
  }
}

/** The columns of a table. @throws CommandError naming those that no row has */
function columnsFrom(document: OpenApi, operation: Operation, given: string | undefined): readonly string[] {
  const { row } = operation
  if (row === undefined) return []
  const all = columnsOf(document, operation)
  const names = given?.split(',').map((name) => name.trim()) ?? all
  const unknown = names.filter((name) => !isColumn(document, row, name))
  if (unknown.length === 0) return names
  const columns = [...new Set([...all, ageColumn])].join(', ')
  throw usageError(`--columns: no row has ${unknown.join(', ')}. There are: ${columns}; with dots into objects.`)
}

/** Refuses a member that no answer has before the request is sent. @throws CommandError */
function requireAnswered({ answers }: Operation, only: string | undefined): void {
  const [first = ''] = only?.split('.') ?? []
  if (only !== undefined && !answers.includes(first)) throw usageError(`--only must be one of: ${answers.join(', ')}.`)
}

/** Whether the request may have been executed. */
const isUncertain = (error: unknown): boolean => error instanceof CommandError && error.code === exitCodes.unavailable

function valuesOf(operation: Operation, command: Command): Record<string, string | string[] | undefined> {
  const options = Object.fromEntries(
    command.options.map((option) => [
      option.long?.slice(2) ?? '',
      command.getOptionValue(option.attributeName()) as string | string[] | undefined,
    ]),
  )
  const positional = operation.members
    .filter(isArgument)
    .map(({ flag }, index) => [flag, command.processedArgs[index] as string])
  return { ...options, ...(Object.fromEntries(positional) as Record<string, string>) }
}

async function readBody(text: string): Promise<unknown> {
  if (text === '-') return parsed(await textOfStream(process.stdin), '--body -')
  if (!text.startsWith('@')) return parsed(text, '--body')
  const file = text.slice(1)
  const content = await readFile(file, 'utf8').catch(() => {
    throw usageError(`--body: the file ${file} cannot be read.`)
  })
  return parsed(content, `--body ${text}`)
}
