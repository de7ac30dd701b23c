/**
 * The stores of @quipu/core on PostgreSQL 18.
 *
 * @module @quipu/postgres
 */
export { closeBooks, type ClosingOptions } from './close-books.ts'
export { sessionSettings } from './connection.ts'
export { NotMigrated, type Pinged } from './database-ping.ts'
export { type DatabaseDemands, refuseUnfitDatabase, UnfitRole } from './fit-database.ts'
export { ensurePartitions, migrate } from './migrate.ts'
export { postgresStores, type PostgresOptions, type PostgresStores } from './stores.ts'
