import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerHarness, openLedgerHarness } from '../test/ledger-check.fixture.ts'

let harness: LedgerHarness
beforeAll(async () => {
  harness = await openLedgerHarness()
})
afterAll(() => harness.close())

const wallets = (most: number) => harness.stores.ledgerCheck.wallets({ wallets: most, postings: 100, everySeconds: 0 })

/** Two tenants, each with an adjustment and a paid payout. */
async function twoTenants(): Promise<readonly [broken: string, other: string]> {
  const [broken, other] = [await harness.onboard(), await harness.onboard()]
  for (const tenantId of [broken, other]) {
    await harness.adjust(tenantId, 50_000_000n)
    await harness.pay(tenantId, true)
  }
  return [broken, other]
}

/** Makes the first wallet the next to be checked and rechecked, then the second one, and no other. */
const inOrder = ([broken, other]: readonly [string, string]): string => `
  update quipu.ledger_check set checked_at = 'infinity', rechecked_at = 'infinity';
  update quipu.ledger_check set checked_at = '2026-01-01', rechecked_at = '2026-01-01', rechecked_payout = null
  where tenant_id = '${broken}';
  update quipu.ledger_check set checked_at = '2026-01-02', rechecked_at = '2026-01-02', rechecked_payout = null
  where tenant_id = '${other}'`

const unreadable = (tenantId: string): string => `
  update quipu.audit_log set after = after || '{"fee_fixed_minor":"none"}'
  where subject = '${tenantId}' and action = 'tenant.create'`

/** The kinds of differences of a tenant. */
const kindsOf = async (tenantId: string) =>
  (
    await harness.sql(
      'select distinct kind from quipu.difference where tenant_id = $1 and gone_at is null order by 1',
      [tenantId],
    )
  ).map(({ kind }) => kind)

const walletOf = async (tenantId: string) =>
  (await harness.sql('select id from quipu.wallet where tenant_id = $1', [tenantId]))[0]?.['id']
const unreadableWallets = async () =>
  (await harness.sql(`select subject from quipu.difference where kind = 'unreadable'`)).map(({ subject }) => subject)

test('a row that a check cannot read is a difference of its wallet, and the other wallets are checked', async () => {
  const [broken, other] = await twoTenants()
  const drift = `update quipu.wallet set available = available + 5 where tenant_id = '${other}'`
  await harness.forge(`${inOrder([broken, other])}; ${unreadable(broken)}; ${drift}`)
  await wallets(1)
  await wallets(1)
  expect(await kindsOf(broken)).toContain('unreadable')
  expect(await unreadableWallets()).toEqual([await walletOf(broken)])
  expect(await kindsOf(other)).toEqual(['available'])
  await harness.forge(inOrder([broken, other]))
  await wallets(2)
  expect(await kindsOf(other)).toEqual(['available'])
})

test('a row that a recheck cannot read is one, too, and the other wallets are rechecked', async () => {
  const [broken, other] = await twoTenants()
  await harness.checkAll()
  const changed = `update quipu.funding_entry set amount = amount + 1 where tenant_id = '${other}'`
  await harness.forge(`${inOrder([broken, other])}; ${unreadable(broken)}; ${changed}`)
  await wallets(2)
  expect(await kindsOf(broken)).toContain('unreadable_recheck')
  expect(await kindsOf(other)).not.toEqual([])
  expect(await kindsOf(other)).not.toContain('unreadable_recheck')
})
