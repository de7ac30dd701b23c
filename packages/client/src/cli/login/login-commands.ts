import type { Command } from 'commander'
import { clientOf } from '../connection/command-call.ts'
import { environmentOf, shownKey } from '../connection/connection.ts'
import { readProfiles, writeProfiles } from '../connection/profiles.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'
import { printOne, printRows } from '../output/print.ts'
import { QuipuError } from '../../index.ts'

const examples = `
The key is asked for, or read from standard input: it is never part of a command line, which other users of the
machine and your shell's history see.

Examples:
  quipu login --url https://sandbox.quipu.example
  quipu login --url http://127.0.0.1:4002 --key-stdin <<< qpu_mock_me
  quipu login --url https://api.quipu.example --profile live --key-stdin < key.txt`

type LoginOptions = { readonly profile: string; readonly url?: string; readonly keyStdin?: boolean }

/** `login`, `logout` and `profiles`. */
export function addLoginCommands(program: Command, context: Context): void {
  program
    .command('login')
    .description('Store a service and a key of yours, after a call that proves both')
    .option('--url <url>', 'the URL of the service, without /v1; default: QUIPU_API_URL')
    .option('--profile <name>', 'the name to store them by', 'default')
    .option('--key-stdin', 'read the key from standard input')
    .addHelpText('after', examples)
    .action((options: LoginOptions) => login(options, context))
  program
    .command('logout')
    .description('Remove a stored key')
    .option('--profile <name>', 'the name that it is stored by; default: the current profile')
    .action(({ profile }: { readonly profile?: string }) => logout(profile, context))
  program
    .command('profiles')
    .description('List the stored services, without their keys')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { current, profiles } = await readProfiles(context.env)
      const rows = Object.entries(profiles).map(([name, { url, key }]) => ({
        name,
        url,
        key: shownKey(key),
        environment: environmentOf(key),
        current: name === current,
      }))
      if (json) context.terminal.out(`${JSON.stringify({ data: rows }, null, 2)}\n`)
      else if (rows.length === 0) context.terminal.error('There is none: log in with `quipu login`.\n')
      else printRows({ context, json }, rows, ['name', 'url', 'key', 'environment', 'current'])
    })
}

async function login(options: LoginOptions, context: Context): Promise<void> {
  const { terminal, env } = context
  const name = options.profile
  if (!/^[\w.-]{1,40}$/.test(name) || name === '__proto__')
    throw usageError('--profile: it is named with letters, digits, and . _ -')
  const url = (options.url ?? env['QUIPU_API_URL'])?.replace(/\/+$/, '')
  if (!url) throw usageError('Which service? Add --url, such as --url http://127.0.0.1:4002')
  const key = await givenKey(options, context)
  const wallet = await provenBy(url, key, context)
  const { profiles } = await readProfiles(env)
  const next = { current: name, profiles: { ...profiles, [name]: { url, key } } }
  const file = await writeProfiles(env, next)
  const stored = { profile: name, url, key: shownKey(key), environment: environmentOf(key), file }
  terminal.error('Logged in.\n')
  printOne({ context, json: false }, { ...stored, ...wallet })
}

async function givenKey({ keyStdin }: LoginOptions, { terminal }: Context): Promise<string> {
  if (!keyStdin && !terminal.ask)
    throw usageError('Nobody can be asked for the key: add --key-stdin, and pass it to standard input.')
  const text = keyStdin ? await terminal.input() : await terminal.ask?.('API key: ', { isSecret: true })
  const key = text?.trim() ?? ''
  if (key === '') throw usageError('The key is empty.')
  return key
}

/** Calls the service once. A key without the scope to read the wallet is a key. */
async function provenBy(url: string, key: string, context: Context): Promise<{ readonly available?: string }> {
  try {
    const { available } = await clientOf({ url, key }, context).wallets.get({}, { signal: context.signal })
    return { available: `${available} USDT` }
  } catch (error) {
    if (error instanceof QuipuError && error.code === 'SCOPE_REQUIRED') return {}
    throw error
  }
}

async function logout(named: string | undefined, { terminal, env }: Context): Promise<void> {
  const { current, profiles } = await readProfiles(env)
  const name = named ?? current
  if (name === undefined || !Object.hasOwn(profiles, name))
    throw usageError(name === undefined ? 'No key is stored.' : `There is no profile ${name}.`)
  const others = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name))
  const next = name === current ? undefined : current
  await writeProfiles(env, { current: next, profiles: others })
  terminal.error(`Removed ${name}. The key still works: ask the operator to revoke it.\n`)
}
