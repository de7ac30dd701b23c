import type { Command } from 'commander'
import { addCellCommands } from './cell/cell-commands.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { addKeysCommands } from './keys/keys-commands.ts'
import { addMigrateCommand } from './migrate/migrate-command.ts'
import type { Context } from './context.ts'
import { addAuditCommands } from './audit/audit-commands.ts'
import { addOpenHubCommands } from './openhub/openhub-commands.ts'
import { addReconcileCommand } from './reconcile/reconcile-command.ts'
import { addRestoreCommands } from './restore/restore-commands.ts'
import { addRoleCommands } from './role/role-commands.ts'
import { addSecretsCommands } from './secrets/secrets-commands.ts'
import { addSettingsCommands } from './setting/settings-commands.ts'
import { addStatementCommand } from './statement/statement-command.ts'
import { addTokenCommands } from './token/token-commands.ts'
import { addXpubCommands } from './xpub/xpub-commands.ts'

type AddCommands = (program: Command, context: Context) => void

/** Commands of an installation, in the order of their first use. Each loads what it needs when it runs. */
export const installationCommands: readonly AddCommands[] = [
  addMigrateCommand,
  addRoleCommands,
  addKeysCommands,
  addSettingsCommands,
  addTokenCommands,
  addXpubCommands,
  addDoctorCommand,
  addOpenHubCommands,
  addRestoreCommands,
  addSecretsCommands,
  addCellCommands,
]

/** Commands that call the API more than once. */
export const compoundCommands: readonly AddCommands[] = [addReconcileCommand, addStatementCommand, addAuditCommands]
