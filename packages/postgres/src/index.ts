/**
 * The stores of @quipu/core on PostgreSQL 18.
 *
 * @module @quipu/postgres
 */
export { everyTopUpAddress } from './top-up-address/every-top-up-address.ts'
export { checkpointBalances, type CheckpointOptions } from './ledger/checkpoint-balances.ts'
export type { OwnerConnection } from './connection/owner-session.ts'
export { sessionSettings } from './connection/connection.ts'
export { UnfitSession } from './connection/session.ts'
export { NotMigrated, type Pinged } from './readiness/database-ping.ts'
export {
  checkCell,
  checkRole,
  type DatabaseDemands,
  refuseUnfitDatabase,
  UnfitCell,
  UnfitRole,
} from './readiness/fit-database.ts'
export type { MigrationBounds } from './migration/bounded-transaction.ts'
export { ensurePartitions, migrate, type MigrationOptions } from './migration/migrate.ts'
export { allowTestClock } from './migration/clock-override.ts'
export { createProcessRole, dropProcessRole, type ProcessRole } from './migration/process-role.ts'
export { type MigrationState, migrationStates } from './migration/migration-states.ts'
export type { UnreadableRow } from './readable-rows.ts'
export { confirmRestore, declareRestore, readGate } from './readiness/restore.ts'
export { setSignInKeys } from './console-session/set-sign-in-keys.ts'
export { type Forgotten, forgetOld, unusedDays } from './retention/forget-old.ts'
export { bootstrapOperatorToken } from './operator-token/bootstrap-operator-token.ts'
export { postgresStores, type PostgresOptions, type PostgresStores } from './stores.ts'
export { type CellState, movedKeys, readCell } from './cell/read-cell.ts'
export { type Split, splitCell, type SplitOptions, SplitRefused, type SplitStep, undoSplit } from './cell/split-cell.ts'
