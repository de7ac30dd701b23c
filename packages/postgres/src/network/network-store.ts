import {
  type NetworkConfirmation,
  networkSeenSeconds,
  type NetworkState,
  type NetworkStore,
} from '@quipu/core/operator'
import { answer, onlyRow } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'

// Decided by migrations/0026-network-identity.sql.

const meetNetwork = statement('meet_network')`select quipu.meet_network($1, $2) as state`

const knownPayment = statement('known_payment')`select * from quipu.known_payment($1, $2)`

const haltNetwork = statement('halt_network')`select quipu.halt_network($1, $2, $3)`

const confirmNetwork = statement('confirm_network')`select quipu.confirm_network($1, $2, $3, $4) as result`

const newestConfirmation = statement('network.newest')`
  select c.identity, c.confirmed_at, c.actor, c.reason
  from quipu.network_confirmation c order by c.confirmed_at desc limit 1`

const listHalts = statement('network.halts')`
  select h.identity, h.payout_id, h.since from quipu.network_halt h
  where h.payout_id is not null or h.seen_at > quipu.store_now($1) - make_interval(secs => $2)
  order by h.identity collate "C"`

type ConfirmationRow = Pick<NetworkConfirmation, 'identity' | 'reason'> & {
  readonly confirmed_at: Date
  readonly actor: string | null
}

type KnownRow = {
  readonly tenant_id: string | null
  readonly payout_id: string | null
  readonly network_ref: string | null
  readonly created_at: Date
  readonly ended_at: Date
  readonly is_current: boolean
}

type HaltRow = { readonly identity: string; readonly payout_id: string | null; readonly since: Date }

/** At which network payouts are ordered, in PostgreSQL. */
export const postgresNetworkStore = (database: Database): NetworkStore => ({
  meet: async (identity) => {
    const values = [identity, database.clockOverride()]
    return onlyRow(await database.write<{ state: NetworkState }>(meetNetwork, values)).state
  },
  knownPayment: async ({ tenantId, payoutId }) => {
    const rows = await database.query<KnownRow>(knownPayment, [tenantId, payoutId])
    const { tenant_id: of, payout_id: id, network_ref: networkRef, is_current, ...row } = onlyRow(rows)
    const isNone = of === null || id === null || networkRef === null
    const times = { createdAt: row.created_at, endedAt: row.ended_at }
    return { payment: isNone ? null : { tenantId: of, payoutId: id, networkRef, ...times }, isCurrent: is_current }
  },
  halt: async (identity, payoutId) => {
    await database.write(haltNetwork, [identity, payoutId, database.clockOverride()])
  },
  read: async () => {
    const [row] = await database.read<ConfirmationRow>(newestConfirmation, [])
    const shown = [database.clockOverride(), networkSeenSeconds]
    const halts = await database.read<HaltRow>(listHalts, shown)
    return {
      network: row ? { identity: row.identity, at: row.confirmed_at, by: row.actor, reason: row.reason } : null,
      halts: halts.map(({ payout_id: payoutId, ...halt }) => ({ ...halt, payoutId })),
    }
  },
  confirm: ({ identity, reason, at }, by) =>
    answer(database.write, confirmNetwork, [identity, credentialJson(by), reason, at]),
})
