export { ensurePartitions, migrate } from './migrate.ts'
export { postgresStores, type PostgresOptions, type PostgresStores } from './stores.ts'
