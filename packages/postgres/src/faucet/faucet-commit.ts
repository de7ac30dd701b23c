import {
  type Account,
  type FaucetCommitted,
  type FaucetDraft,
  type FaucetJudge,
  type FaucetUsage,
  type FaucetUse,
  usdt,
} from '@quipu/core'
import type { Database, Query, Statement } from '../connection/database.ts'
import { draftValues, faucetColumns, type FaucetRow, sendFromRow } from './faucet-row.ts'

export const getSend: Statement = {
  name: 'faucet.get',
  text: `
    select ${faucetColumns} from quipu.faucet_send f where f.id = $2 and f.tenant_id = $1`,
}

export const findSend: Statement = {
  name: 'faucet.find',
  text: `
    select ${faucetColumns} from quipu.faucet_send f where f.tenant_id = $1 and f.key = $2`,
}

/** Who holds the shared counter's lock has every tenant's and every address's as well. */
const lockCounters: Statement = {
  name: 'faucet.lock_counters',
  text: `select pg_advisory_xact_lock(hashtextextended('quipu.faucet', 0))`,
}

export const readUsage: Statement = {
  name: 'faucet.usage',
  text: `
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
    select 'shared', at, amount from quipu.faucet_minute where at > (select since from moment)`,
}

type UsageRow = {
  readonly counter: 'now' | keyof FaucetUsage
  readonly at: Date
  readonly amount: bigint
}

const insertSend: Statement = {
  name: 'faucet.insert',
  text: `
    with sent as (
      insert into quipu.faucet_send (id, tenant_id, key, fingerprint, chain, account, address,
        amount, tx_hash, bytes, expires_at, remaining_today, created_at, fence, due_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1,
        $13::timestamptz + make_interval(secs => $14))
      on conflict (tx_hash) do nothing
      returning amount, created_at
    ), counted as (
      insert into quipu.faucet_minute as m (at, amount)
      select quipu.minute_end(created_at), amount from sent
      on conflict (at) do update set amount = m.amount + excluded.amount
    )
    select from sent`,
}

export async function usageAt(
  query: Query,
  tenantId: string,
  account: Account,
  windowSeconds: number,
  clock: Date | null,
): Promise<{ usage: FaucetUsage; now: Date }> {
  const rows = await query<UsageRow>(readUsage, [tenantId, account, windowSeconds, clock])
  const uses = (counter: UsageRow['counter']): FaucetUse[] =>
    rows
      .filter((row) => row.counter === counter)
      .map(({ at, amount }) => ({ at, amount: usdt(amount) }))
  const [now] = uses('now')
  if (now === undefined) throw new Error('the database does not tell the time')
  return {
    usage: { tenant: uses('tenant'), address: uses('address'), shared: uses('shared') },
    now: now.at,
  }
}

/** Accepts a request, or says why not. One transaction, one at a time. */
export const commitSend = (
  database: Database,
  draft: FaucetDraft,
  judge: FaucetJudge,
  windowSeconds: number,
  leaseSeconds: number,
): Promise<FaucetCommitted> =>
  database.transaction(async (query) => {
    const { tenantId, key, account } = draft
    await query(lockCounters, [])
    const [known] = await query<FaucetRow>(findSend, [tenantId, key])
    if (known !== undefined) return { type: 'known', send: sendFromRow(known) }
    const { usage, now } = await usageAt(query, tenantId, account, windowSeconds, database.now())
    const judged = judge(usage, now)
    if ('code' in judged) return { type: 'refused', refusal: judged }
    const { remainingToday } = judged
    const values = [...draftValues(draft), remainingToday.minor, now, leaseSeconds]
    const sent = await query(insertSend, values)
    if (sent.length === 0) return { type: 'collision' }
    return {
      type: 'committed',
      send: { ...draft, status: 'submitted', remainingToday, createdAt: now },
    }
  })
