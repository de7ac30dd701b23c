import type { Command } from 'commander'
import type { Context } from '../context.ts'

const examples = `
Example:
  DATABASE_URL=postgres://owner@db/quipu quipu-admin restore confirm --reason 'Reconciled until 12:40, two payments booked'`

/** `restore declare` halts payments, and `restore confirm` lets them begin. */
export function addRestoreCommands(program: Command, context: Context): void {
  const restore = program.command('restore').description('A database that was restored')
  restore
    .command('declare')
    .summary('Halt payments: the database went back to an earlier moment')
    .description(
      'Halt payments because the database went back to an earlier moment, as the role that migrates. A process sees most restores by itself; declare one when none has, or before you put a snapshot back. Only `restore confirm` lets payments begin again. Written to the audit log.',
    )
    .requiredOption('--reason <text>', 'what happened to the database')
    .option('--json', 'print JSON')
    .action(async (options: { readonly reason: string; readonly json?: true }) => {
      const { runRestore } = await import('./run-restore.ts')
      await runRestore('declared', options, context)
    })
  restore
    .command('confirm')
    .summary('Let payments begin on a restored database')
    .description(
      'Let payments begin on a database that went back to an earlier moment, as the role that migrates. Compare with the network before, and book what the database has forgotten: the API would pay a repeated request again. Written to the audit log.',
    )
    .requiredOption('--reason <text>', 'what was compared and booked')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: { readonly reason: string; readonly json?: true }) => {
      const { runRestore } = await import('./run-restore.ts')
      await runRestore('confirmed', options, context)
    })
}
