import { describe, expect, test } from 'vitest'
import { type FinalAnswer, payoutMessages, usdt } from '@quipu/core'
import { paidAnswer, type InsertEndedCommit, someInstant, someQr } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { balanceOf } from './apply-payout.contract.ts'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'

export function settlePayoutTests(open: OpenHarness): void {
  describe('settling', () => {
    settlingContract(open)
  })
  describe('ending before applying', () => {
    refusingContract(open)
  })
}

const refusals: readonly FinalAnswer[] = [
  { type: 'refused_payment' },
  { type: 'refused_qr' },
  { type: 'no_liquidity' },
  { type: 'limit' },
  { type: 'not_sent', reason: 'connection refused' },
  { type: 'cancelled' },
]

function settlingContract(open: OpenHarness): void {
  const world = useWorld(open)

  async function processing(w: World, source = 30n) {
    const tenantId = await w.newWallet(usdt(100n))
    return w.newPayout(await w.newQuote(tenantId, { source: usdt(source) }))
  }

  test('a paid payout costs exactly what was held, and its event is stored byte for byte', async () => {
    const w = world()
    const payout = await processing(w)
    const { tenantId, id } = payout
    const write = w.settleCommit(payout, paidAnswer(payout), {
      at: new Date('2126-03-04T05:06:09.991Z'),
    })

    expect(await w.payouts.commit(write)).toBe('committed')

    expect(await w.payouts.get(tenantId, id)).toEqual(write.step.payout)
    expect(await w.payouts.find(tenantId, payout.transactionId)).toMatchObject({ leased: false })
    expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 0n })
    const totals = { adjusted: usdt(100n), credited: usdt(0n), debited: usdt(30n), held: usdt(0n) }
    expect(await w.wallets.totals(tenantId)).toEqual(totals)
    await expectEvents(w, write)
  })

  for (const answer of refusals) {
    test(`a payout that ends with ${answer.type} gives back everything that was held`, async () => {
      const w = world()
      const payout = await processing(w)
      const { tenantId } = payout
      const write = w.settleCommit(payout, answer)
      expect(await w.payouts.commit(write)).toBe('committed')
      expect(await w.payouts.get(tenantId, payout.id)).toEqual(write.step.payout)
      expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
      expect((await w.wallets.totals(tenantId)).held).toEqual(usdt(0n))
      expect((await w.quotes.find(tenantId, payout.quoteId))?.status).toBe('used')
      await expectEvents(w, write)
    })
  }

  test('an ended payout is stale for every further settling, which writes nothing', async () => {
    const w = world()
    const payout = await processing(w)
    const first = w.settleCommit(payout, paidAnswer(payout))
    expect(await w.payouts.commit(first)).toBe('committed')
    for (const answer of [paidAnswer(payout), ...refusals]) {
      expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe('stale')
    }
    expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(first.step.payout)
    expect(await balanceOf(w, payout.tenantId)).toEqual({ available: 70n, held: 0n })
    await expectEvents(w, first)
  })

  test('of many settlings at once exactly one commits', async () => {
    const w = world()
    const payout = await processing(w)
    const writes = [paidAnswer(payout), ...refusals, ...refusals].map((each) =>
      w.settleCommit(payout, each),
    )
    const results = await Promise.all(writes.map((write) => w.payouts.commit(write)))
    const winner = writes[results.indexOf('committed')]
    expect(results.filter((result) => result === 'committed')).toHaveLength(1)
    expect(results.filter((result) => result === 'stale')).toHaveLength(writes.length - 1)
    expect(await w.payouts.get(payout.tenantId, payout.id)).toEqual(winner?.step.payout)
    const left = winner?.step.payout.status === 'completed' ? 70n : 100n
    expect(await balanceOf(w, payout.tenantId)).toEqual({ available: left, held: 0n })
  })

  test('a fence that is not the newest is stale, an unknown payout too', async () => {
    const w = world()
    const payout = await processing(w)
    const { tenantId, id: payoutId } = payout
    const other = await w.newWallet(usdt(0n))
    const unknown = w.ids.next('po', someInstant)
    for (const claim of [
      { tenantId, payoutId, fencingToken: 0 },
      { tenantId, payoutId, fencingToken: 2 },
      { tenantId, payoutId: unknown, fencingToken: 1 },
      { tenantId: other, payoutId, fencingToken: 1 },
    ]) {
      const write = w.settleCommit(payout, paidAnswer(payout), { claim })
      expect(await w.payouts.commit(write)).toBe('stale')
    }
    expect(await w.payouts.get(tenantId, payoutId)).toEqual(payout)
    expect(await balanceOf(w, tenantId)).toEqual({ available: 70n, held: 30n })
    expect(await eventsAbout(w, tenantId, payoutId)).toEqual([])
  })
}

function refusingContract(open: OpenHarness): void {
  const world = useWorld(open)

  test('a cancelled payout is stored with its event, and its quote and the wallet are untouched', async () => {
    const w = world()
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId, { source: usdt(30n) })
    const write = w.insertEndedCommit(quote, { fingerprint: 'v1:refused' })
    const { payout } = write.step

    expect(await w.payouts.commit(write)).toBe('committed')

    expect(await w.payouts.get(tenantId, payout.id)).toEqual(payout)
    const ageMs: unknown = expect.any(Number)
    const known = { payout, fingerprint: 'v1:refused', leased: false, ageMs }
    expect(await w.payouts.find(tenantId, payout.transactionId)).toEqual(known)
    const view = { quote, status: 'open', payoutId: null }
    expect(await w.quotes.find(tenantId, quote.id)).toEqual(view)
    expect(await balanceOf(w, tenantId)).toEqual({ available: 100n, held: 0n })
    await expectEvents(w, write)
  })

  test('a rejected payout has no QR and no event', async () => {
    const w = world()
    const tenantId = await w.newWallet(usdt(0n))
    const write = w.insertEndedCommit(await w.newQuote(tenantId), { code: 'QR_REFUSED' })
    const { payout } = write.step
    expect(await w.payouts.commit(write)).toBe('committed')
    const stored = await w.payouts.get(tenantId, payout.id)
    expect(stored).toEqual(payout)
    expect(stored).toMatchObject({ qr: null, error: { message: payoutMessages.QR_REFUSED } })
    expect(await eventsAbout(w, tenantId, payout.id)).toEqual([])
  })

  test('a taken transaction_id is stale, and no second payout or event appears', async () => {
    const w = world()
    const tenantId = await w.newWallet(usdt(100n))
    const quote = await w.newQuote(tenantId)
    const first = w.insertEndedCommit(quote, { transactionId: 'same' })
    const second = w.insertEndedCommit(quote, { transactionId: 'same', code: 'QUOTE_EXPIRED' })
    expect(await w.payouts.commit(first)).toBe('committed')
    expect(await w.payouts.commit(first)).toBe('stale')
    expect(await w.payouts.commit(second)).toBe('stale')
    expect(await w.payouts.commit(w.applyCommit(quote, { transactionId: 'same' }))).toBe('stale')
    const { items } = await w.payouts.list(tenantId, { limit: 100 })
    expect(items).toEqual([first.step.payout])
    expect((await w.quotes.find(tenantId, quote.id))?.status).toBe('open')
    expect(await eventsAbout(w, tenantId, second.step.payout.id)).toEqual([])
    await expectEvents(w, first)
  })

  test('a payout for another amount keeps its own target, and its QR is as it was read', async () => {
    const w = world()
    const tenantId = await w.newWallet(usdt(0n))
    const quote = await w.newQuote(tenantId)
    const write = w.insertEndedCommit(quote, { code: 'QUOTE_AMOUNT_MISMATCH' })
    const target = { currency: 'BOB', minor: 30_001n } as const
    const payout = { ...write.step.payout, target }
    expect(await w.payouts.commit({ ...write, step: { ...write.step, payout } })).toBe('committed')
    expect(await w.payouts.get(tenantId, payout.id)).toMatchObject({ target, qr: someQr })
  })
}

async function expectEvents(
  w: World,
  write: Pick<InsertEndedCommit, 'event'> & { step: { payout: { id: string; tenantId: string } } },
): Promise<void> {
  const { id, tenantId } = write.step.payout
  const stored = await eventsAbout(w, tenantId, id)
  expect(stored.map(plainEvent)).toEqual(write.event ? [plainEvent(write.event)] : [])
}
