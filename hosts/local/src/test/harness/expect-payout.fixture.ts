import type { ExpectStatic } from 'vitest'
import type { FoundPayout } from './database-probe.fixture.ts'
import { until } from './process.fixture.ts'
import { funds, type Order, type Payout, type Tenant } from './tenant.fixture.ts'
import type { NetworkHarness } from './payout-harness.fixture.ts'

type Harness = Pick<NetworkHarness<unknown>, 'database' | 'paid' | 'orderCount'>

/** Waits until the payout has ended in the database. */
export async function untilEnded({ database }: Harness, order: Order): Promise<FoundPayout> {
  return until(`${order.transaction_id} ends`, async () => {
    const found = await database.find(order)
    return found?.status === 'processing' ? undefined : found
  })
}

/**
 * Expects that API, postings and network agree: the payout ended as the network's ledger shows, it
 * was paid at most once, no USDT is lost or held, and a repeated request answers with this payout.
 *
 * @param expect  of the test, because concurrent tests have no global one
 */
export async function expectConsistentPayout(
  expect: ExpectStatic,
  harness: Harness,
  tenant: Tenant,
  order: Order,
): Promise<Payout> {
  const { id } = await untilEnded(harness, order)
  const { json } = await tenant.get(`/v1/payouts/${id}`)
  const payout = json as Payout
  expect(harness.paid().filter((reference) => reference === id).length).toBe(payout.status === 'completed' ? 1 : 0)
  expect(harness.orderCount(id)).toBeLessThanOrEqual(1)

  const eventsOf = 'select event_type as type from quipu.tenant_log where subject_id = $1'
  expect(await harness.database.query(eventsOf, [id])).toEqual([{ type: `payout.${payout.status}` }])

  const again = await tenant.pay(order)
  expect(again).toMatchObject({ status: 201, json: payout })
  expect(again.headers.get('idempotent-replayed')).toBe('true')

  await expectMoneyConserved(expect, harness)
  return payout
}

type WalletRow = {
  readonly available: string
  readonly held: string
  readonly available_posted: string
  readonly held_posted: string
  readonly captured: string
}

const wallets = `
  select available, held,
    coalesce(sum(t.amount) filter (where credit = 'available'), 0)
      - coalesce(sum(t.amount) filter (where debit = 'available'), 0) as available_posted,
    coalesce(sum(t.amount) filter (where credit = 'held'), 0)
      - coalesce(sum(t.amount) filter (where debit = 'held'), 0) as held_posted,
    coalesce(sum(t.amount) filter (where type = 'capture'), 0) as captured
  from quipu.wallet w join quipu.posting t using (tenant_id)
  group by tenant_id, available, held`

const completed = `
  select p.id, q.source from quipu.payout_end e
  join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id
  join quipu.quote q on q.tenant_id = p.tenant_id and q.id = p.quote_id
  where e.status = 'completed'`

/** Expects that the wallet equals the sum of its postings, and that all captures were paid to merchants. */
async function expectMoneyConserved(expect: ExpectStatic, { database, paid }: Harness): Promise<void> {
  const [wallet] = await database.query<WalletRow>(wallets)
  if (!wallet) throw new Error('there is no wallet')
  const { available, held, available_posted, held_posted, captured } = wallet
  expect([available, held]).toEqual([available_posted, held_posted])
  expect(held).toBe('0')
  expect(BigInt(available) + BigInt(captured)).toBe(funds)

  const paidFor = await database.query<{ id: string; source: string }>(completed)
  const spent = paidFor.reduce((sum, { source }) => sum + BigInt(source), 0n)
  expect(BigInt(captured)).toBe(spent)
  expect(paid().toSorted()).toEqual(paidFor.map(({ id }) => id).toSorted())
}
