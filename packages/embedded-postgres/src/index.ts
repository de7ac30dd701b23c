export { createDatabase, databaseUrl, dropDatabase } from './database.ts'
export { startPostgres, type PostgresOptions, type PostgresServer } from './server.ts'
export { StartError } from './start-error.ts'
