import type { Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { AuditVerifyOptions } from './audit-options.ts'

const examples = `
Examples:
  quipu-admin audit verify
  quipu-admin audit verify --checkpoint @worker.log`

/** `audit verify` verifies the whole chain of the audit log. */
export function addAuditCommands(program: Command, context: Context): void {
  const audit = program.command('audit').description('The integrity of the audit log')
  const verify = audit
    .command('verify')
    .summary('Verify every entry of the audit log')
    .description(
      'Verify the chain of the whole audit log, and name the first entry that was changed, removed or inserted. With a checkpoint of a log stream, also that the log still has its entry, and that the key signed it. Exit code 1 if something is wrong.',
    )
    .option(
      '--checkpoint <line>',
      'a log line of a worker with `audit_checkpoint`, or that member; @file takes the last one of a file',
    )
    .option('--after <position>', 'begin after this position, <id>.<hash>, such as that of a known flaw')
  withConnection(verify)
    .addHelpText('after', examples)
    .action(async (options: AuditVerifyOptions) => {
      const { verifyAuditLog } = await import('./verify-audit-log.ts')
      await verifyAuditLog(options, context)
    })
}
