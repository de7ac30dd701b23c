import type { Command } from 'commander'
import { usageError } from '../exit.ts'
import type { Context } from '../context.ts'

type Options = { readonly status?: true; readonly dryRun?: true; readonly json?: true }

const examples = `
Examples:
  DATABASE_URL=postgres://owner@db/quipu quipu-admin migrate --dry-run
  DATABASE_URL=postgres://owner@db/quipu quipu-admin migrate`

/** `migrate` brings the database up to date; its options only look. */
export function addMigrateCommand(program: Command, context: Context): void {
  program
    .command('migrate')
    .summary('Bring the database up to date')
    .description(
      'Bring the database of DATABASE_URL up to date, as the role that owns it, and list the migrations that ran. Many processes may run it at any time, also under load.',
    )
    .option('--status', 'only list every migration and whether it has run; exit code 1 if one has not')
    .option('--dry-run', 'only list the migrations that would run')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      if (options.status && options.dryRun) throw usageError('--status or --dry-run, not both.')
      const { runMigrations, showStatus } = await import('./run-migrate.ts')
      if (options.status || options.dryRun) await showStatus(options, context)
      else await runMigrations(options, context)
    })
}
