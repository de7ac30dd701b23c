export { type Binaries, binariesIn } from './cluster/binaries.ts'
export { createDatabase, createLogin, databaseUrl, dropDatabase, type Login } from './server/database.ts'
export { openProxy, type Cut, type Proxy, type Target } from './failover/proxy.ts'
export {
  startReplicatedPostgres,
  type PairServer,
  type ReplicatedOptions,
  type ReplicatedPostgres,
} from './failover/replicated.ts'
export { startPostgres, type PostgresOptions, type PostgresServer } from './server/server.ts'
export { StartError } from './cluster/start-error.ts'
