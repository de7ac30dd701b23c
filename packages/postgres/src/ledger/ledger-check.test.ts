import { bob, usdt } from '@quipu/core'
import { type AuditPosition, auditStart } from '@quipu/core/operator'
import { creditDepositCommit, depositBuilders, laterInstant, operatorNamed, someInstant } from '@quipu/contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkpointBalances } from './checkpoint-balances.ts'
import { clientConfig, withConnection } from '../connection/connection.ts'
import { forgedEntry, type LedgerHarness, openLedgerHarness, farOff } from '../test/ledger-check.fixture.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { sqlOf } from '../test/stores.fixture.ts'

let harness: LedgerHarness
beforeEach(async () => {
  harness = await openLedgerHarness()
})
afterEach(() => harness.close())

const unpaid = { cause: 'unpaid', reason: 'October', evidence: null } as const

test('no difference is found while money moves, prices and keys change and checkpoints are added', async () => {
  const { ledgerCheck } = harness.stores
  const tenants = await Promise.all([1, 2, 3].map(harness.onboard))
  for (const tenantId of tenants) await harness.adjust(tenantId, 10_000_000_000n)
  let isMoving = true
  let slices = 0
  const checking = async (): Promise<void> => {
    let last: AuditPosition | null = auditStart
    while (isMoving) {
      slices += await ledgerCheck.wallets({ wallets: 2, postings: 7, everySeconds: 0 })
      last = await ledgerCheck.auditLog(last ?? auditStart, 5)
    }
  }
  const adding = async (): Promise<void> => {
    while (isMoving) await checkpointBalances(harness.stores.url, { size: 9 })
  }
  const watching = [checking(), checking(), adding()]
  const moving = tenants.flatMap((tenantId, shift) => [
    ...[0, 1, 2, 3].map(async () => {
      for (let n = 0; n < 25; n++) await harness.pay(tenantId, (n + shift) % 3 > 0)
    }),
    (async () => {
      for (let n = 0; n < 20; n++) await harness.adjust(tenantId, 5n)
    })(),
    (async () => {
      for (let n = 0; n < 10; n++) {
        const keyId = await harness.issueKey(tenantId)
        await harness.operator.change(operatorNamed('ada'), tenantId, {
          pricing: { paymentCap: bob(5_000_000n + BigInt(n)) },
        })
        await harness.keys.revoke(operatorNamed('ana'), keyId)
        await (n % 2 === 0
          ? harness.operator.suspend(operatorNamed('ana'), tenantId, unpaid)
          : harness.operator.resume(operatorNamed('ana'), tenantId, unpaid))
      }
    })(),
  ])
  await Promise.all(moving).finally(() => (isMoving = false))
  await Promise.all(watching)
  await harness.checkAll()
  expect(await harness.sql('select * from quipu.difference')).toEqual([])
  expect(slices).toBeGreaterThan(20)
  const checkpoints = await harness.sql('select from quipu.balance_checkpoint')
  expect(checkpoints.length).toBeGreaterThan(10)
})

test('a credit has its source, whether the worker or an operator credited the deposit', async () => {
  const w = harness.world
  const deposits = await depositBuilders(w)
  await deposits.credited()
  const write = await creditDepositCommit(w, await deposits.inReview())
  expect(await w.deposits.commit(write)).toBe('committed')
  const earlier = await creditDepositCommit(w, await deposits.inReview(), someInstant)
  expect(await w.deposits.commit(earlier)).toMatchObject({ redatedTo: laterInstant })
  await harness.checkAll()
  // The test inserted this tenant without an audit entry of its pricing.
  expect((await harness.found()).filter((each) => !each.startsWith('ten_'))).toEqual([])
})

test('a difference is recorded once, updated when it changes, and gone when there is none', async () => {
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 100n)
  const all = async () => (await harness.stores.differences.list({ limit: 9 })).items
  await harness.forge('update quipu.wallet set available = available + 1')
  await harness.checkAll()
  const [first] = await all()
  expect(first).toMatchObject({
    check: 'ledger',
    kind: 'available',
    tenantId,
    status: 'open',
    expected: usdt(100n),
    found: usdt(101n),
  })
  await harness.checkAll()
  const unchanged = await harness.stores.differences.listChanged(first?.change ?? 0n, farOff, 9)
  expect(unchanged).toEqual([])
  await harness.forge('update quipu.wallet set available = available + 1')
  await harness.checkAll()
  expect(await harness.stores.differences.listChanged(first?.change ?? 0n, farOff, 9)).toMatchObject([
    { id: first?.id, found: usdt(102n), foundAt: first?.foundAt },
  ])
  await harness.forge('update quipu.wallet set available = available - 2')
  await harness.checkAll()
  expect(await all()).toMatchObject([{ id: first?.id, status: 'gone' }])
  expect(await harness.found()).toEqual([])
})

test('money that moves does not change a difference', async () => {
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 100n)
  await harness.forge('update quipu.wallet set available = available + 1')
  await harness.checkAll()
  const [first] = await harness.stores.differences.listChanged(0n, farOff, 9)
  // The next entry is written with the forged balance, which is a difference of its own.
  await harness.adjust(tenantId, 50n)
  await harness.checkAll()
  const stored = await harness.stores.differences.find(first?.id ?? '')
  expect(stored).toMatchObject({ expected: usdt(150n), found: usdt(151n), change: first?.change })
})

test('an entry with a wrong balance stays on the list after the wallet is right again', async () => {
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 100n)
  await harness.forge('update quipu.wallet set available = available + 7')
  await harness.adjust(tenantId, 50n)
  await harness.forge('update quipu.wallet set available = available - 7')
  await harness.checkAll()
  expect(await harness.found()).toEqual([
    expect.stringMatching(/, entry 2: .*: the balance after it is .*: 0\.000007 USDT off$/),
  ])
})

test('a closed difference is not opened again by the next recheck, unless it has changed', async () => {
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 100n)
  await harness.forge(forgedEntry('adjustment_in', 'null, null'))
  await harness.checkAll()
  const { differences } = harness.stores
  const [found, ...others] = await differences.listChanged(0n, farOff, 9)
  expect(others).toEqual([])
  const closure = { by: 'ana', at: someInstant, reason: 'explained', proposalId: null }
  expect(await differences.close(found?.id ?? '', closure, operatorNamed('ana'))).toBe('committed')
  await harness.checkAll()
  expect(await harness.found()).toEqual([])
  expect((await harness.stores.backlog.read()).differences.ledger.count).toBe(0)
  await harness.forge(`update quipu.funding_entry set amount = 6 where subject_id = 'forged'`)
  await harness.checkAll()
  expect(await harness.found()).toContainEqual(expect.stringMatching(/^forged: an adjustment of 0\.000006/))
})

test('a forged payout is found while it is in processing', async () => {
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 100_000_000n)
  const quote = await harness.newQuote(tenantId)
  await harness.forge('update quipu.quote set bid = bid * 2')
  const { id } = await harness.newPayout(quote)
  await harness.stores.ledgerCheck.wallets({ wallets: 1, postings: 1, everySeconds: 0 })
  await harness.stores.ledgerCheck.wallets({ wallets: 1, postings: 1, everySeconds: 0 })
  expect(await harness.found()).toEqual([`${id}: its quote is not what the tenant’s pricing gives`])
})

test('payouts whose quotes do not follow from the pricing are one difference of the tenant, which counts them', async () => {
  const { differences } = harness.stores
  const tenantId = await harness.onboard()
  await harness.adjust(tenantId, 10_000_000_000n)
  const payWrongly = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) await harness.pay(tenantId, true)
    await harness.forge('update quipu.quote set bid = bid * 2 where bid < 150000')
  }
  const details = async () => (await differences.list({ status: 'open', limit: 20 })).items.map(({ detail }) => detail)
  const cause = 'its quote is not what the tenant’s pricing gives'
  await payWrongly(1)
  await harness.checkAll()
  expect(await details()).toEqual([cause])
  const [first] = await differences.listChanged(0n, farOff, 9)
  await payWrongly(4)
  await harness.checkAll()
  expect(await details()).toEqual([`${cause}; so are those of 4 more payouts of the tenant`])
  // Rechecks count the same payouts, and nothing is alerted again.
  for (let n = 0; n < 3; n++) await harness.checkAll()
  expect(await details()).toEqual([`${cause}; so are those of 4 more payouts of the tenant`])
  expect(await differences.listChanged(first?.change ?? 0n, farOff, 9)).toEqual([])

  const closure = { by: 'ana', at: someInstant, reason: 'explained', proposalId: null }
  expect(await differences.close(first?.id ?? '', closure, operatorNamed('ana'))).toBe('committed')
  await harness.checkAll()
  expect(await details()).toEqual([])
  await payWrongly(2)
  await harness.checkAll()
  expect(await details()).toEqual([`${cause}; so are those of 6 more payouts of the tenant`])
  const [again, ...more] = await differences.listChanged(first?.change ?? 0n, farOff, 9)
  expect([again?.subject, more]).toEqual([first?.subject, []])
})

test('a slice reads at most its size, and the next one continues after it', async () => {
  const tenantId = await harness.onboard()
  await Promise.all(Array.from({ length: 100 }, () => harness.adjust(tenantId, 1n)))
  const place = () =>
    harness.sql(`select checked_at > '-infinity' as is_checked, (checked).seq::int as seq
      from quipu.ledger_check`)
  const slice = 'select quipu.check_ledger(1, 10, 0)'
  // In a session with the settings of the stores.
  const read = await withConnection(clientConfig({ url: harness.stores.url }), (client) =>
    rowsReadBy(sqlOf(client), '^(payout_end|funding_entry)', () => client.query(slice)),
  )
  expect(read).toBeGreaterThanOrEqual(20)
  expect(read).toBeLessThan(200) // ten new and ten rechecked entries, each in an index and in its table
  expect(await place()).toEqual([{ is_checked: false, seq: 10 }])
  for (let n = 0; n < 10; n++) await harness.sql(slice)
  expect(await place()).toEqual([{ is_checked: true, seq: 100 }])
})

test('a slice checks all idle wallets, and of busy ones at most the entries of ten', async () => {
  for (let n = 0; n < 12; n++) {
    const tenantId = await harness.onboard()
    for (let m = 0; m < 4; m++) await harness.adjust(tenantId, 1n)
  }
  const slice = { wallets: 12, postings: 3, everySeconds: 0 }
  const checked = []
  for (let n = 0; n < 4; n++) checked.push(await harness.stores.ledgerCheck.wallets(slice))
  expect(checked[0]).toBe(10)
  expect(checked.at(-1)).toBe(12)
  expect(await harness.found()).toEqual([])
})
