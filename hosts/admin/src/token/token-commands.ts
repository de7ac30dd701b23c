import { type Command, Option } from 'commander'
import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import type { CreateTokenOptions } from './create-token.ts'
import { writeSecretFile } from '../output/secret-file.ts'

const createExamples = `
Examples:
  DATABASE_URL=postgres://owner@db/quipu quipu-admin token create ana --role admin --label laptop
  DATABASE_URL=postgres://owner@db/quipu quipu-admin token create ana --role admin --days 30 --out ~/.quipu-token`

const generateExamples = `
Example:
  quipu-admin token generate --out ~/.quipu-token`

// As in core, which every start of the program would load otherwise.
const roles = { viewer: true, operator: true, admin: true, auditor: true } satisfies Record<
  CreateTokenOptions['role'],
  true
>

/** `token create` issues a token in the database; `token generate` makes one, of which the service gets the hash alone. */
export function addTokenCommands(program: Command, context: Context): void {
  const token = program.command('token').description('Tokens of operators')
  addCreate(token, context)
  addGenerate(token, context)
}

function addCreate(token: Command, context: Context): void {
  token
    .command('create')
    .summary('Issue a token in the database: for the first two admins')
    .description(
      'Issue an operator token in the database of DATABASE_URL, as the role that migrates, and print it once: for the first two admins, and when no admin is left. Any other person makes a token by `token generate`, and an admin issues it by `operator-tokens issue`. The audit log records that the owner of the database issued it.',
    )
    .argument('<person>', 'whose token it is: a stable name, such as ana')
    .addOption(new Option('--role <role>', 'what the person may do').choices(Object.keys(roles)).makeOptionMandatory())
    .option('--label <text>', 'where the person keeps it', 'first token')
    .option('--days <number>', 'how long it is valid: 1 to 366', '90')
    .option('--out <file>', 'a new file for the token that only you can read; else it is printed')
    .option('--json', 'print JSON')
    .addHelpText('after', createExamples)
    .action(async (person: string, options: CreateTokenOptions) => {
      const { createToken } = await import('./create-token.ts')
      await createToken(person, options, context)
    })
}

type GenerateOptions = { readonly out?: string; readonly json?: true }

function addGenerate(token: Command, { terminal }: Context): void {
  token
    .command('generate')
    .summary('Make a token, and print its SHA-256')
    .description(
      'Make a random operator token, and print its SHA-256, which an admin needs to issue it. With --out the token is written to a new file that only you can read, for QUIPU_OPERATOR_TOKEN_FILE.',
    )
    .option('--out <file>', 'a new file for the token; without it the token is printed')
    .option('--json', 'print JSON')
    .addHelpText('after', generateExamples)
    .action(async ({ out, json }: GenerateOptions) => {
      const secret = randomBytes(32).toString('hex')
      const hash = createHash('sha256').update(secret).digest('hex')
      if (out !== undefined) await writeSecretFile(out, `${secret}\n`)
      const shown = { ...(out === undefined && { token: secret }), sha256: hash }
      const lines = Object.entries(shown).map(([name, value]) => `${name.padEnd(6)}  ${value}\n`)
      terminal.out(json ? `${JSON.stringify(shown)}\n` : lines.join(''))
    })
}
