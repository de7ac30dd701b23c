import type { PayoutStore } from '@quipu/core/adapter'
import type { GatedProcess } from '../gated-process.fixture.ts'
import type { FailOverDatabase } from './database.fixture.ts'

/** The methods that the use cases of payouts call. */
export type SessionStore = Pick<
  PayoutStore,
  'findForCreate' | 'find' | 'get' | 'commit' | 'renew' | 'claimDue' | 'yieldClaim' | 'catchUp'
>

/**
 * The payouts as a process has them: as the PostgreSQL adapter does, each write waits for the standby, and each
 * read for a commit that confirms it on the server that was read. Both waits are gates: `acknowledged` and `confirm`.
 *
 * What only schedules or records (`yieldClaim`, `catchUp`) writes nothing.
 */
export function payoutsOf(database: FailOverDatabase, gates: GatedProcess): SessionStore {
  const { acknowledged, confirm } = gates.gate({
    acknowledged: async (place: number, acknowledgement: Promise<void>) => {
      await acknowledgement
      database.show([place])
    },
    confirm: async (timeline: number) => database.confirm(timeline),
  })
  const durable = (place: number): Promise<void> => {
    const acknowledgement = database.wait(place)
    acknowledgement.catch(() => undefined) // The process may have lost the connection before.
    return acknowledged(place, acknowledgement)
  }
  async function write<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    const { result, place } = await database.write({ store: 'payouts', name }, args)
    if (place !== undefined) await durable(place)
    return result as Result
  }
  async function read<Row>(row: Promise<Row>): Promise<Row> {
    const timeline = database.timeline()
    const seen = await row
    await durable(await confirm(timeline))
    return seen
  }
  const { payouts } = database.stores
  const find: PayoutStore['find'] = (tenantId, transactionId) =>
    read(payouts.find(tenantId, transactionId))
  return {
    findForCreate: async (tenantId, transactionId, quoteId, reading) => {
      const rows = payouts.findForCreate(tenantId, transactionId, quoteId, reading)
      const found = reading === 'latest' ? await rows : await read(rows)
      return found.stored ? { ...found, stored: await find(tenantId, transactionId) } : found
    },
    find,
    get: (tenantId, id) => read(payouts.get(tenantId, id)),
    commit: (commit) => write('commit', commit),
    renew: (claim, leaseSeconds) => write('renew', claim, leaseSeconds),
    claimDue: (limit, leaseSeconds) => write('claimDue', limit, leaseSeconds),
    yieldClaim: () => Promise.resolve(true),
    catchUp: () => Promise.resolve(),
  }
}
