import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'

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
    .option('--yes', 'do not ask, as on a terminal')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: { readonly reason: string; readonly yes?: true; readonly json?: true }) => {
      await confirmPayments(options, context)
      const { runRestore } = await import('./run-restore.ts')
      await runRestore('confirmed', options, context)
    })
}

/** Payments that the database has forgotten would be made again: on a terminal the person types it. */
async function confirmPayments({ yes }: { readonly yes?: true }, { terminal: { ask } }: Context): Promise<void> {
  if (yes === true || ask === undefined) return
  const typed = await ask('Payments begin again, also those that were forgotten. Type “payments begin” to go on: ')
  if (typed.trim() !== 'payments begin') throw new CommandError(exitCodes.refused, 'Nothing was changed.')
}
