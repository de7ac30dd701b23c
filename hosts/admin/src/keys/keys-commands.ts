import { Argument, type Command } from 'commander'
import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { writeSecretFile } from '../output/secret-file.ts'

/** The secrets that an installation makes up itself, and what each is for. */
const generated = {
  WEBHOOK_SECRET_KEY: 'encrypts the signing secrets of webhook endpoints; API and worker',
  ADDRESS_MAC_KEY: 'authenticates top-up addresses; API and worker',
  AUDIT_CHECKPOINT_KEY: 'signs the checkpoints of the audit log; API and worker',
  OPERATOR_SIGN_IN_KEY:
    'proves sign-ins to the console, and encrypts second factors; API and, by keys set-sign-in, the database',
  QR_NETWORK_CALLBACK_SECRET: 'signs the callbacks of the QR network; API and the network',
} as const
type Name = keyof typeof generated

const names = Object.keys(generated) as Name[]

const examples = `
Examples:
  quipu-admin keys generate --out keys.env
  quipu-admin keys generate AUDIT_CHECKPOINT_KEY`

const setExamples = `
Example:
  DATABASE_URL=postgres://owner@db/quipu OPERATOR_SIGN_IN_KEY=… quipu-admin keys set-sign-in`

/** `keys generate` prints fresh secrets as lines of an environment file; `keys set-sign-in` gives one to the database. */
export function addKeysCommands(program: Command, context: Context): void {
  const { terminal } = context
  const keys = program.command('keys').description('The secrets of an installation')
  keys
    .command('set-sign-in')
    .summary('Give the database the keys of OPERATOR_SIGN_IN_KEY')
    .description(
      'Replace the keys by which the database of DATABASE_URL recognizes sign-ins by those of OPERATOR_SIGN_IN_KEY, as the role that migrates. To change the key: set both in both places, the current one first, restart each API, then leave out the older one.',
    )
    .addHelpText('after', setExamples)
    .action(async () => {
      const { runSetSignIn } = await import('./set-sign-in.ts')
      await runSetSignIn(context)
    })
  keys
    .command('generate')
    .summary('Print fresh secrets as settings')
    .description(
      'Print fresh random secrets as settings, 32 bytes in hex each: all of them, or those that you name. Nothing is stored, unless --out names a new file. Keep them where the processes read them, and a copy apart from the backups.',
    )
    .addArgument(new Argument('[names...]', 'settings').choices(names))
    .option('--out <file>', 'a new file for the settings that only you can read; else they are printed')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (chosen: Name[], { out, json }: { readonly out?: string; readonly json?: true }) => {
      const secrets = (chosen.length > 0 ? chosen : names).map((name) => ({
        name,
        value: randomBytes(32).toString('hex'),
      }))
      const lines = secrets.map(({ name, value }) => `# ${generated[name]}\n${name}=${value}\n`)
      const object = Object.fromEntries(secrets.map(({ name, value }) => [name, value]))
      const text = json ? `${JSON.stringify(object)}\n` : lines.join('')
      if (out === undefined) terminal.out(text)
      else await writeSecretFile(out, text)
    })
}
