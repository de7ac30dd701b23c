import { Unavailable, usdt } from '@quipu/core'
import type { DepositCommit } from '@quipu/core/adapter'
import {
  approveAdjustment,
  auditEntries,
  buildersOfAnotherTenant,
  closeReviewCommit,
  commitSend,
  creditDepositCommit,
  eventsAbout,
  type DepositBuilders,
  depositBuilders,
  newTopUp,
  scanner,
  settleDepositCommit,
  newObservedTransfer,
} from '@quipu/contracts'
import type { Cut, Proxy } from '@quipu/embedded-postgres'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openFragileStores, useStoreHarness } from '../test/stores.fixture.ts'
import type { PostgresStores } from '../stores.ts'

const harness = useStoreHarness({ connectTimeoutMs: 5_000 })
let first: DepositBuilders
beforeAll(async () => {
  first = await depositBuilders(harness.world)
})

let fragile: PostgresStores
let proxy: Proxy
const open = async (): Promise<void> => {
  ;({ fragile, proxy } = await openFragileStores(harness.stores.processUrl))
}
afterEach(async () => {
  await fragile.close()
  await proxy.shut()
})

const newScene = (): Promise<DepositBuilders> => buildersOfAnotherTenant(harness.world, first)
const cuts: readonly Cut[] = ['unsent', 'sent', 'done']

describe.each(cuts)('a connection that is lost during a commit, %s,', (when) => {
  test('settles the deposit once and returns committed', async () => {
    await open()
    const { due, claimOne, tenantId } = await newScene()
    await due()
    const write = settleDepositCommit(harness.world, await claimOne())
    const cut = proxy.cutNext('settle_deposits', when)
    expect(await fragile.deposits.commit(write)).toBe('committed')
    await cut
    await expectCredited(tenantId, write)
    expect(await fragile.deposits.commit(write)).toBe('stale')
  })

  test('resolves the review once, with one audit entry, and returns committed', async () => {
    await open()
    const { inReview, tenantId } = await newScene()
    for (const kind of ['credit', 'close']) {
      const review = await inReview()
      const write = await (kind === 'credit' ? creditDepositCommit : closeReviewCommit)(harness.world, review)
      const cut = proxy.cutNext('resolve_reviews', when)
      expect(await fragile.deposits.commit(write)).toBe('committed')
      await cut
      const rows = await auditEntries(harness.stores.audit, { subject: review.id, limit: 10 })
      expect(rows).toHaveLength(1)
      expect(await harness.stores.deposits.find(review.id)).toEqual(write.step.deposit)
      expect(await fragile.deposits.commit(write)).toBe('stale')
    }
    await expectCredited(tenantId)
  })

  test('posts the adjustment once, with one audit entry, and returns committed', async () => {
    await open()
    const { tenantId } = await newScene()
    const id = harness.ids.uuid(new Date())
    const funds = { id, tenantId, direction: 'in', reason: 'funds', actor: 'ana' } as const
    const adjustment = { ...funds, amount: usdt(25_000_000n) }
    await approveAdjustment(harness.stores, adjustment)
    const cut = proxy.cutNext('adjust_wallets', when)
    expect(await fragile.wallets.adjust(adjustment)).toBe('committed')
    await cut
    await expectCredited(tenantId)
    const rows = await auditEntries(harness.stores.audit, { subject: tenantId, limit: 10 })
    expect(rows.map(({ action }) => action)).toEqual(['wallet.adjust', 'tenant.create'])
    expect(await fragile.wallets.adjust(adjustment)).toBe('stale')
  })

  test('returns the instant of a redated credit', async () => {
    await open()
    const { due, claimOne, credited, inReview } = await newScene()
    const review = await inReview()
    const later = await credited()
    await due()
    const earlier = new Date(later.creditedAt.getTime() - 5)
    const claimed = await claimOne()
    for (const [word, write] of [
      ['settle_deposits', settleDepositCommit(harness.world, claimed, {}, earlier)],
      ['resolve_reviews', await creditDepositCommit(harness.world, review, earlier)],
    ] as const) {
      const cut = proxy.cutNext(word, when)
      expect(await fragile.deposits.commit(write)).toEqual({ redatedTo: later.creditedAt })
      await cut
      expect(await harness.stores.deposits.find(write.step.deposit.id)).toMatchObject({
        status: 'credited',
        creditedAt: later.creditedAt,
      })
    }
  })

  test.each(['accept_faucet_send', 'commit'])(
    'accepts the faucet send once and returns committed (at %s)',
    async (word) => {
      await open()
      const { tenantId } = await newScene()
      const cut = proxy.cutNext(word, when)
      const committed = await commitSend({ ...harness.world, faucet: fragile.faucet }, tenantId)
      expect(committed.type).toBe('committed')
      await cut
      const { usage } = await fragile.faucet.usage(tenantId, '', 86_400)
      expect(usage.tenant).toHaveLength(1)
    },
  )

  test('leaves the tenant with at most one address, which the next call returns', async () => {
    await open()
    const tenantId = await harness.newWallet(usdt(0n))
    const cut = proxy.cutNext('commit', when)
    const lossy = { ...harness.world, addresses: fragile.addresses }
    await expect(newTopUp(lossy, tenantId)).rejects.toBeInstanceOf(Unavailable)
    await cut
    const topUp = await newTopUp(lossy, tenantId)
    expect(await harness.stores.addresses.list(tenantId)).toEqual([topUp])
  })
})

test('a scan whose answer was lost continues from its stored position, and observes each transfer once', async () => {
  await open()
  const { topUp } = await newScene()
  await harness.sql(`update quipu.scan set leased_until = '-infinity'`)
  const { claim, nextAdvance } = await scanner(harness.world, 'head')
  const write = nextAdvance({ observedTransfers: [newObservedTransfer(harness.world, topUp)] })
  const cut = proxy.cutNext('advance_scan', 'done')
  await expect(fragile.scans.advance(claim, write)).rejects.toBeInstanceOf(Unavailable)
  await cut
  expect(await fragile.scans.advance(claim, write)).toEqual({ type: 'stale' })
  expect(await fragile.scans.at('tron', 'head')).toEqual(write.blocks.at(-1))
  expect((await harness.stores.deposits.list(topUp.tenantId, { limit: 9 })).items).toHaveLength(1)
})

async function expectCredited(tenantId: string, write?: DepositCommit): Promise<void> {
  const available = usdt(25_000_000n)
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available })
  const { items } = await harness.stores.wallets.transactions(tenantId, { limit: 9 })
  expect(items).toHaveLength(1)
  await harness.expectBalanced(tenantId)
  if (write === undefined) return
  const { id } = write.step.deposit
  expect(await harness.stores.deposits.find(id)).toEqual(write.step.deposit)
  expect(await eventsAbout(harness.stores, tenantId, id)).toHaveLength(2)
}
