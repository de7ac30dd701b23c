import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerHarness, openLedgerHarness } from './ledger-check.fixture.ts'

let harness: LedgerHarness
beforeAll(async () => {
  harness = await openLedgerHarness()
})
afterAll(() => harness.close())

test('a row that a check cannot read is a difference of its wallet, and the other wallets are checked', async () => {
  const [broken, other] = [await harness.onboard(), await harness.onboard()]
  for (const tenantId of [broken, other]) {
    await harness.adjust(tenantId, 50_000_000n)
    await harness.pay(tenantId, true)
  }
  await harness.forge(
    `update quipu.audit_log set after = after || '{"fee_fixed_minor":"none"}' where subject = '${broken}'
       and action = 'tenant.create';
     update quipu.wallet set available = available + 5 where tenant_id = '${other}'`,
  )
  for (let n = 0; n < 3; n++)
    await harness.stores.ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })
  const wallets = await Promise.all(
    [broken, other].map(async (id) => (await harness.stores.wallets.find(id))?.id),
  )
  const found = await harness.found()
  expect(found).toContainEqual(expect.stringContaining(`${wallets[1]}: available is`))
  expect(found).toContainEqual(expect.stringContaining(`${wallets[0]}: its check failed`))
})
