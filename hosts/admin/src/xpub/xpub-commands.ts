import { type Command, InvalidArgumentError } from 'commander'
import type { Context } from '../context.ts'
import type { DeriveOptions, VerifyOptions } from './xpub-options.ts'

const examplesOfDerive = `
Example:
  TRON_XPUB=xpub… quipu-admin xpub derive 0 --count 5`

const examplesOfVerify = `
Example:
  TRON_XPUB=xpub… ADDRESS_MAC_KEY=… DATABASE_URL=postgres://… quipu-admin xpub verify`

/** `xpub derive` and `xpub verify`: the addresses of the extended public key. */
export function addXpubCommands(program: Command, context: Context): void {
  const xpub = program.command('xpub').description('The extended public key of the top-up addresses')
  xpub
    .command('derive')
    .summary('Derive top-up addresses')
    .description(
      "Derive the top-up addresses m/44'/195'/account'/0/index of TRON_XPUB, to compare them with those of the treasury's wallet.",
    )
    .argument('<index>', 'the first index', whole)
    .option('--count <number>', 'how many', whole, 1)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesOfDerive)
    .action(async (index: number, options: DeriveOptions) => {
      const { derive } = await import('./run-xpub.ts')
      derive(index, options, context)
    })
  xpub
    .command('verify')
    .summary('Verify every stored top-up address')
    .description(
      'Verify that each top-up address of the database derives from TRON_XPUB at its index, and that its MAC matches ADDRESS_MAC_KEY. Lists those that do not; exit code 1 if there is one.',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examplesOfVerify)
    .action(async (options: VerifyOptions) => {
      const { verify } = await import('./run-xpub.ts')
      await verify(options, context)
    })
}

function whole(text: string): number {
  if (/^[0-9]{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 0 to 2147483647.')
}
