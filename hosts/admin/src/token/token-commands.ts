import type { Command } from 'commander'
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'

const examples = `
Example:
  quipu-admin token generate --out ~/.quipu-token`

type Options = { readonly out?: string; readonly json?: true }

/** `token generate` makes a token, of which the service gets the hash alone. */
export function addTokenCommands(program: Command, { terminal }: Context): void {
  const token = program.command('token').description('Your operator token')
  token
    .command('generate')
    .summary('Make a token, and print its SHA-256')
    .description(
      'Make a random operator token, and print its SHA-256, which an admin needs to issue it. With --out the token is written to a new file that only you can read, for QUIPU_OPERATOR_TOKEN_FILE.',
    )
    .option('--out <file>', 'a new file for the token; without it the token is printed')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async ({ out, json }: Options) => {
      const secret = randomBytes(32).toString('hex')
      const hash = createHash('sha256').update(secret).digest('hex')
      if (out !== undefined) await writeNew(out, secret)
      const shown = { ...(out === undefined && { token: secret }), sha256: hash }
      const lines = Object.entries(shown).map(([name, value]) => `${name.padEnd(6)}  ${value}\n`)
      terminal.out(json ? `${JSON.stringify(shown)}\n` : lines.join(''))
    })
}

/** @throws CommandError when the file exists or cannot be written */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw usageError(`--out: ${error instanceof Error ? error.message : 'cannot be written'}`)
  })
}
