export { type Binaries, binariesIn } from './binaries.ts'
export { createDatabase, createLogin, databaseUrl, dropDatabase, type Login } from './database.ts'
export { openProxy, type Cut, type Proxy, type Target } from './proxy.ts'
export {
  startReplicatedPostgres,
  type PairServer,
  type ReplicatedOptions,
  type ReplicatedPostgres,
} from './replicated.ts'
export { startPostgres, type PostgresOptions, type PostgresServer } from './server.ts'
export { StartError } from './start-error.ts'
