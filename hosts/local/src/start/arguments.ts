import { parseArgs } from 'node:util'
import type { NetworkName } from './qr-network.ts'
import { StartRefusal } from './start-refusal.ts'

const networks: readonly NetworkName[] = ['http', 'openhub']

/** The arguments of `start` or `demo`, apart from `--network`, and what each does. */
export type Flags<Flag extends string> = Readonly<Record<Flag, string>>

/**
 * Reads the arguments of `start` or `demo`; a string is their help, which `--help` wants.
 *
 * @throws StartRefusal for another argument or network
 */
export function readArguments<Flag extends string>(
  command: string,
  flags: Flags<Flag>,
  args: readonly string[],
): string | (Readonly<Record<Flag, boolean>> & { readonly network: NetworkName | undefined }) {
  const names = Object.keys(flags) as Flag[]
  const { help, network, ...values } = parsed(names, args)
  if (help === true) return helpOf(command, flags)
  const named = networks.find((name) => name === network)
  if (network !== undefined && named === undefined)
    throw new StartRefusal(`--network must be http or openhub, got ${JSON.stringify(network)}.`)
  const given = Object.fromEntries(names.map((name) => [name, values[name] === true])) as Record<Flag, boolean>
  return { ...given, network: named }
}

function parsed(names: readonly string[], args: readonly string[]): Readonly<Record<string, unknown>> {
  const flag = { type: 'boolean' } as const
  const own = Object.fromEntries(names.map((name) => [name, flag]))
  try {
    const options = { ...own, help: { ...flag, short: 'h' }, network: { type: 'string' } } as const
    return parseArgs({ args: args.filter((arg) => arg !== '--'), options }).values
  } catch (error) {
    throw new StartRefusal(`${error instanceof Error ? error.message : String(error)}. --help lists the options.`)
  }
}

const helpOf = (command: string, flags: Flags<string>): string =>
  [
    `Usage: npx -y pnpm@12 ${command} [options]`,
    '',
    ...Object.entries({
      'network <http|openhub>': 'the simulated QR network; by default that of the data folder, http at first',
      ...flags,
      help: 'print this',
    }).map(([name, text]) => `  --${name.padEnd(24)}${text}`),
    '',
    'QUIPU_DATA_DIR and QUIPU_PORT_BASE choose the data folder and the ports: docs/operations/settings.md.',
  ].join('\n')
