import type { RestoreStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import type { LogMemory } from './log-memory.ts'

// Decided by migrations/0040-restores.sql.
const acceptServer = statement('accept_server')`select quipu.accept_server($1) as accepted`

const haltForgotten = statement('halt_forgotten')`select quipu.halt_forgotten($1, $2)`

const stopPayouts = statement('stop_payouts')`select quipu.stop_payouts($1, $2, $3) as result`

/** Whether payments begin, in PostgreSQL. */
export const postgresRestoreStore = (database: Database, memory: LogMemory): RestoreStore => ({
  gate: () => memory.observe((statement, values) => database.query(statement, values)),
  accept: async ({ start }) => {
    const [row] = await database.write<{ accepted: boolean }>(acceptServer, [start])
    return row?.accepted === true
  },
  haltForgotten: async ({ confirmations }, detail) => {
    await database.write(haltForgotten, [detail, confirmations])
  },
  stop: (reason, by) => answer(database.write, stopPayouts, [reason, credentialJson(by), by.at]),
})
