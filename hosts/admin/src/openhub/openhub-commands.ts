import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { CertifyOptions } from './certify.ts'

const examples = `
Example:
  quipu-admin openhub certify --env-file sandbox.env --host sandbox.example --closed-qr "$CLOSED" --open-qr "$OPEN" --out certification`

/** `openhub certify`: the questions to ATC that its sandbox answers. */
export function addOpenHubCommands(program: Command, context: Context): void {
  const openhub = program.command('openhub').description('The OpenHub of ATC')
  openhub
    .command('certify')
    .summary('Try a sandbox of OpenHub step by step, and keep each answer')
    .description(
      'Try a sandbox of OpenHub step by step, keep each answer with secrets, accounts and names masked, and print which questions stay open and which setting depends on each. Makes payments. Run it again to continue: a step that has its answer is not repeated, and the last one is due a day after the first payment. Exit code 3 while a step is to come.',
    )
    .requiredOption('--host <host>', 'the host of OPENHUB_URL, to state which network is meant: only it says sandbox')
    .requiredOption('--closed-qr <text...>', 'the texts of unpaid QRs with an amount, for one payment each')
    .requiredOption('--open-qr <text...>', 'the texts of QRs without an amount')
    .requiredOption('--out <folder>', 'where answers are kept, and a state file that only you can read')
    .option('--amount <bob>', 'what each payment of an open QR pays', '1.00')
    .option('--env-file <file...>', 'settings as NAME=value lines; they come before the environment')
    .option('--production', 'also where ENVIRONMENT is production: real merchants are paid')
    .addHelpText('after', examples)
    .action(async (options: CertifyOptions) => {
      const { certify } = await import('./certify.ts')
      await certify(options, context)
    })
}
