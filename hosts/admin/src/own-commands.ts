import type { Command } from 'commander'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addKeysCommands } from './keys/keys-commands.ts'
import { addMigrateCommand } from './migrate/migrate-command.ts'
import type { Context } from './context.ts'
import { addAuditCommands } from './audit/audit-commands.ts'
import { addReconcileCommand } from './reconcile/reconcile-command.ts'
import { addRoleCommands } from './role/role-commands.ts'
import { addSecretsCommands } from './secrets/secrets-commands.ts'
import { addStatementCommand } from './statement/statement-command.ts'
import { addTokenCommands } from './token/token-commands.ts'
import { addXpubCommands } from './xpub/xpub-commands.ts'

/** The commands that are more than one call of the API. Each loads what it needs when it runs. */
export const ownCommands: readonly ((program: Command, context: Context) => void)[] = [
  addDoctorCommand,
  addMigrateCommand,
  addKeysCommands,
  addSecretsCommands,
  addXpubCommands,
  addRoleCommands,
  addTokenCommands,
  addAuditCommands,
  addStatementCommand,
  addReconcileCommand,
]
