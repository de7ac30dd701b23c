import pg from 'pg'
import type { StoredPayout, WalletSums } from './invariants.ts'

/** Direct access to the database after the fail-over. */
export type FinalState = {
  payouts(): Promise<readonly StoredPayout[]>
  wallets(): Promise<readonly WalletSums[]>
  /** Makes open payouts due now, so that the test does not wait for their retries. */
  makeDue(): Promise<void>
  close(): Promise<void>
}

const payouts = `
  select p.id, p.transaction_id, coalesce(e.status, 'processing') as status,
    array(select event_type from quipu.tenant_log where subject_id = p.id and event_id is not null) as events
  from quipu.payout p
  left join quipu.payout_end e on e.tenant_id = p.tenant_id and e.payout_id = p.id
  where $1::text[] is null or p.tenant_id = any ($1)`

const wallets = `
  select w.available, w.held,
    (select coalesce(sum(case 'available' when credit then amount when debit then -amount end), 0)
      from quipu.posting t where t.tenant_id = w.tenant_id) as available_posted,
    (select coalesce(sum(case 'held' when credit then amount when debit then -amount end), 0)
      from quipu.posting t where t.tenant_id = w.tenant_id) as held_posted,
    (select coalesce(sum(amount), 0) from quipu.posting t
      where t.tenant_id = w.tenant_id and type = 'capture') as captured,
    (select coalesce(sum(case type when 'adjustment_out' then -amount else amount end), 0)
      from quipu.posting t
      where t.tenant_id = w.tenant_id
        and type in ('adjustment_in', 'adjustment_out', 'deposit')) as funded,
    (select coalesce(sum(q.source), 0) from quipu.payout_end e
      join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id
      join quipu.quote q on q.tenant_id = p.tenant_id and q.id = p.quote_id
      where e.tenant_id = w.tenant_id and e.status = 'completed') as completed,
    (select coalesce(sum(q.source), 0) from quipu.held_payout h
      join quipu.payout p on p.tenant_id = h.tenant_id and p.id = h.payout_id
      join quipu.quote q on q.tenant_id = p.tenant_id and q.id = p.quote_id
      where h.tenant_id = w.tenant_id) as open
  from quipu.wallet w
  where $1::text[] is null or w.tenant_id = any ($1)`

const makeDue = 'update quipu.payout_open set due_at = now() where not leased and due_at > now()'

/** @param tenants  of whom it reads; all by default */
export function openFinalState(url: string, tenants: readonly string[] | null = null): FinalState {
  const client = new pg.Pool({ connectionString: url, max: 1 })
  client.on('error', () => undefined) // A broken connection rejects the running query; the next one has another.
  const rows = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text, [tenants])).rows
  return {
    payouts: () => rows<StoredPayout>(payouts),
    wallets: async () => (await rows<Record<keyof WalletSums, string>>(wallets)).map(exact),
    makeDue: async () => void (await client.query(makeDue)),
    close: () => client.end(),
  }
}

/** pg returns numeric columns as text. */
function exact(row: Readonly<Record<keyof WalletSums, string>>): WalletSums {
  const entries = Object.entries(row).map(([name, text]) => [name, BigInt(text)] as const)
  return Object.fromEntries(entries) as WalletSums
}
