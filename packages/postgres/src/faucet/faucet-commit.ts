import { type FaucetLimits, usdt } from '@quipu/core'
import type {
  ChainAccount,
  FaucetCommitResult,
  FaucetDraft,
  FaucetLimitCheck,
  FaucetUsage,
  FaucetUse,
} from '@quipu/core/adapter'
import { type Database, type Query, type Statement, statement } from '../connection/database.ts'
import { draftJson, faucetColumns, type FaucetRow, sendFromRow } from './faucet-row.ts'

export const getSend: Statement = statement('faucet.get')`
  select ${faucetColumns} from quipu.faucet_send f where f.id = $2 and f.tenant_id = $1`

export const findSend: Statement = statement('faucet.find')`
  select ${faucetColumns} from quipu.faucet_send f where f.tenant_id = $1 and f.key = $2`

/** One lock guards the counters of all tenants and addresses. */
const lockCounters = statement('faucet.lock_counters')`
  select pg_advisory_xact_lock(hashtextextended('quipu.faucet', 0))`

const readUsage: Statement = statement('faucet.usage')`
  with moment as materialized (
    select now, now - make_interval(secs => $3) as since
    from (select quipu.store_now($4)) clock (now)
  )
  select 'now' as counter, now as at, 0 as amount from moment
  union all
  select 'tenant', created_at, case status when 'failed' then 0 else amount end
  from quipu.faucet_send
  where tenant_id = $1 and created_at > (select since from moment)
  union all
  select 'address', created_at, case status when 'failed' then 0 else amount end
  from quipu.faucet_send
  where account = $2 and created_at > (select since from moment)
  union all
  select 'shared', at, amount from quipu.faucet_minute where at > (select since from moment)`

type UsageRow = { readonly counter: 'now' | keyof FaucetUsage; readonly at: Date; readonly amount: bigint }

// Decided by migrations/0011-faucet.sql.

const acceptFaucetSend = statement('accept_faucet_send')`
  select result, accepted_at as "acceptedAt"
  from quipu.accept_faucet_send($1, $2, $3, $4)`

type Accepted = { readonly result: 'committed' | 'collision'; readonly acceptedAt: Date }

export async function usageAt(
  query: Query,
  tenantId: string,
  account: ChainAccount,
  windowSeconds: number,
  clock: Date | null,
): Promise<{ usage: FaucetUsage; now: Date }> {
  const rows = await query<UsageRow>(readUsage, [tenantId, account, windowSeconds, clock])
  const uses = (counter: UsageRow['counter']): FaucetUse[] =>
    rows.filter((row) => row.counter === counter).map(({ at, amount }) => ({ at, amount: usdt(amount) }))
  const [now] = uses('now')
  if (now === undefined) throw new Error('the usage query returned no row with its instant')
  return { usage: { tenant: uses('tenant'), address: uses('address'), shared: uses('shared') }, now: now.at }
}

/**
 * Accepts a faucet request or returns its refusal, in one transaction under one lock: `checkLimits` decides by the
 * locked counters, and `accept_faucet_send` checks the limits again and writes.
 */
export const commitSend = (
  database: Database,
  draft: FaucetDraft,
  checkLimits: FaucetLimitCheck,
  limits: FaucetLimits,
  leaseSeconds: number,
): Promise<FaucetCommitResult> =>
  database.transaction(async (query) => {
    const { tenantId, key, account } = draft
    const clock = database.clockOverride()
    await query(lockCounters, [])
    const [stored] = await query<FaucetRow>(findSend, [tenantId, key])
    if (stored !== undefined) return { type: 'stored', send: sendFromRow(stored) }
    const { usage, now } = await usageAt(query, tenantId, account, limits.windowSeconds, clock)
    const decision = checkLimits(usage, now)
    if ('code' in decision) return { type: 'refused', refusal: decision }
    const { remainingToday } = decision
    const values = [draftJson(draft, remainingToday), limitsJson(limits), leaseSeconds, clock]
    const [accepted] = await query<Accepted>(acceptFaucetSend, values)
    if (accepted?.result !== 'committed') return { type: 'collision' }
    return {
      type: 'committed',
      send: { ...draft, status: 'submitted', remainingToday, createdAt: accepted.acceptedAt },
    }
  })

const limitsJson = (limits: FaucetLimits): string =>
  JSON.stringify({
    per_request: String(limits.perRequest.minor),
    per_tenant: String(limits.perTenant.minor),
    requests_per_tenant: limits.requestsPerTenant,
    per_address: String(limits.perAddress.minor),
    shared: String(limits.shared.minor),
    spacing_seconds: limits.spacingSeconds,
    window_seconds: limits.windowSeconds,
  })
