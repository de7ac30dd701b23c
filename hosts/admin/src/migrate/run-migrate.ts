import { table } from '@quipu/client/terminal'
import { migrate, type MigrationState, migrationStates } from '@quipu/postgres'
import { MigrationSettings } from '@quipu/runtime'
import { exitCodes, CommandError } from '../exit.ts'
import { atDatabase } from '../database-failure.ts'
import type { Context } from '../context.ts'
import { ownerOf, settingsOf } from '../settings.ts'

type Options = { readonly dryRun?: true; readonly json?: true }

/** Runs what is missing, and prints the name of each migration that it ran. @throws CommandError */
export async function runMigrations({ json }: Options, { terminal, env }: Context): Promise<void> {
  const settings = settingsOf(MigrationSettings, env)
  const ran = await atDatabase(
    'The database was not migrated',
    migrate(ownerOf(settings), {
      cell: settings.CELL,
      lockTimeoutMs: settings.MIGRATION_LOCK_TIMEOUT_MS,
      transactionTimeoutMs: settings.MIGRATION_TRANSACTION_TIMEOUT_MS,
      attempts: settings.MIGRATION_ATTEMPTS,
      notify: (line) => terminal.error(`${line}\n`),
    }),
  )
  if (json) return terminal.out(`${JSON.stringify({ ran })}\n`)
  for (const name of ran) terminal.out(`${name}\n`)
  terminal.out(`The database is up to date; migrations run: ${ran.length}.\n`)
}

/** Lists migrations and writes nothing. @throws CommandError when one is missing, unless that was asked */
export async function showStatus({ dryRun, json }: Options, { terminal, env }: Context): Promise<void> {
  const settings = settingsOf(MigrationSettings, env)
  const states = await atDatabase('The database was not read', migrationStates(settings.DATABASE_URL))
  const shown = dryRun ? states.filter(({ state }) => state === 'missing') : states
  const rows = shown.map(({ name, state, runAt }) => ({ name, state, run_at: runAt?.toISOString() ?? null }))
  if (json) terminal.out(`${JSON.stringify({ migrations: rows })}\n`)
  else if (rows.length > 0)
    terminal.out(`${table(rows, dryRun ? ['name'] : ['name', 'state', 'run_at'], undefined).lines.join('\n')}\n`)
  refuseChanged(states)
  const missing = states.filter(({ state }) => state === 'missing').length
  if (dryRun) terminal.error(`\`migrate\` would run ${missing}.\n`)
  else if (missing > 0) throw new CommandError(exitCodes.refused, `Missing: ${missing}. Run \`quipu-admin migrate\`.`)
}

function refuseChanged(states: readonly MigrationState[]): void {
  const changed = states.filter(({ state }) => state === 'changed').map(({ name }) => name)
  if (changed.length > 0)
    throw new CommandError(
      exitCodes.refused,
      `Changed since they were run: ${changed.join(', ')}. \`migrate\` refuses them: restore the files.`,
    )
}
