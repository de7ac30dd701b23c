import { describe, expect, test } from 'vitest'
import { bob, Unavailable, usdt } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { someOperator, someQr } from '../../fixtures/builders.ts'
import { networkKinds } from '../../fixtures/payout/without-cancel.ts'
import { newGate } from '../../fixtures/gate.ts'
import { qrRead, payoutHarness } from '../../fixtures/payout/payout-harness.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'

/** Proves `createPayout` on a set of stores, also with the interleavings that could pay twice or lose money. */
export function createPayoutContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of networkKinds) createPayoutTests(name, open, kind)
}

function createPayoutTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof networkKinds)[number],
): void {
  describe(`paying on ${name} with a network ${kind}`, () => {
    const w = useWorld(open, 'each')
    const newHarness = (settings: Parameters<typeof payoutHarness>[1] = {}) =>
      payoutHarness(w, settings, { capabilities })

    async function wallet(available = usdt(1_000_000_000n)) {
      const tenantId = await w.newWallet(available)
      const tenant = await w.tenants.find(tenantId)
      if (!tenant) throw new Error('the tenant was just created')
      const has = async () => {
        const found = await w.wallets.find(tenantId)
        return { available: found?.available.minor, held: found?.held.minor }
      }
      return { tenant, quote: () => w.newQuote(tenantId), has }
    }
    const events = async (tenantId: string, id: string) =>
      (await eventsAbout(w, tenantId, id)).map((event) => event.type)

    test('debits exactly the quote’s source, captures the hold, and writes one event', async () => {
      const { tenant, quote, has } = await wallet()
      const { create, request, network } = newHarness()
      const accepted = await quote()
      const answer = await create(tenant, request(accepted))
      expect(answer).toMatchObject({ type: 'payout', replayed: false, payout: { status: 'completed' } })
      expect(await has()).toEqual({ available: 1_000_000_000n - accepted.source.minor, held: 0n })
      const id = answer.type === 'payout' ? answer.payout.id : ''
      expect(await events(tenant.id, id)).toEqual(['payout.completed'])
      expect(network.orders).toMatchObject([{ reference: id, amount: accepted.target }])
    })

    test.each<[NetworkAnswer, string, string | null, readonly string[]]>([
      [{ type: 'refused_payment' }, 'failed', 'PAYMENT_FAILED', ['payout.failed']],
      [{ type: 'refused_qr' }, 'rejected', 'QR_REFUSED', []],
      [{ type: 'no_liquidity' }, 'cancelled', 'INSUFFICIENT_FUNDS', ['payout.cancelled']],
      [{ type: 'limit' }, 'cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT', ['payout.cancelled']],
      [{ type: 'not_sent', reason: 'x' }, 'cancelled', 'PAYMENT_CANCELLED', ['payout.cancelled']],
      [{ type: 'cancelled' }, 'cancelled', 'PAYMENT_CANCELLED', ['payout.cancelled']],
    ])('network answer %j: %s %s, and the hold is released', async (answer, status, code, eventTypes) => {
      const { tenant, quote, has } = await wallet()
      const { network, createdPayout, request } = newHarness()
      network.answer = async () => answer
      const payout = await createdPayout(tenant, request(await quote()))
      expect(payout).toMatchObject({ status, error: { code }, quote: { tenantId: tenant.id } })
      expect(await has()).toEqual({ available: 1_000_000_000n, held: 0n })
      expect(await events(tenant.id, payout.id)).toEqual(eventTypes)
      const seen = await w.payouts.get(tenant.id, payout.id)
      expect(seen).toEqual(payout)
    })

    test('a closed QR for another amount is cancelled with its own amount, and leaves the quote open', async () => {
      const { tenant, quote, has } = await wallet()
      const { network, createdPayout, request } = newHarness()
      const accepted = await quote()
      network.read = async () => qrRead(bob(30_000n))
      const wrong = await createdPayout(tenant, request(accepted))
      expect(wrong).toMatchObject({
        status: 'cancelled',
        quote: null,
        qr: someQr,
        target: bob(30_000n),
        error: { code: 'QUOTE_AMOUNT_MISMATCH' },
      })
      expect(await events(tenant.id, wrong.id)).toEqual(['payout.cancelled'])
      network.read = async () => qrRead()
      const right = await createdPayout(tenant, request(accepted, { transactionId: 'order-2' }))
      expect(right.status).toBe('completed')
      expect((await has()).held).toBe(0n)
    })

    test('an amount above the tenant’s cap is cancelled and leaves the quote open; one at the cap is paid', async () => {
      const { tenant, quote } = await wallet()
      const { createdPayout, request, network } = newHarness()
      const cappedAt = (cap: bigint) => ({ ...tenant, pricing: { ...tenant.pricing, paymentCap: bob(cap) } })
      const accepted = await quote()
      const payout = await createdPayout(cappedAt(9_999n), request(accepted))
      expect(payout).toMatchObject({
        status: 'cancelled',
        quote: null,
        error: { code: 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' },
      })
      expect((await w.quotes.find(tenant.id, accepted.id))?.status).toBe('open')
      expect(network.orders).toEqual([])
      const atCap = request(accepted, { transactionId: 'order-2' })
      expect(await createdPayout(cappedAt(10_000n), atCap)).toMatchObject({ status: 'completed' })
    })

    test('writes and sends nothing when the tenant is suspended while the QR is read', async () => {
      const { tenant, quote, has } = await wallet()
      const { create, request, network } = newHarness()
      const accepted = await quote()
      const { read } = network
      network.read = async (content) => {
        const suspended = { ...tenant, status: 'suspended', revision: 2 } as const
        await w.tenants.update(suspended, 'tenant.suspend', someOperator)
        return read(content)
      }
      const answer = await create(tenant, request(accepted))
      expect(network.readCalls).toHaveLength(1)
      expect(answer).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED', payoutId: null })
      expect(await w.payouts.find(tenant.id, request(accepted).transactionId)).toBeUndefined()
      expect((await w.quotes.find(tenant.id, accepted.id))?.status).toBe('open')
      expect(await has()).toEqual({ available: 1_000_000_000n, held: 0n })
      expect(network.orders).toEqual([])
    })

    test('an unreadable QR is rejected without an event, and leaves the quote open', async () => {
      const { tenant, quote } = await wallet()
      const { network, create, request } = newHarness()
      network.read = async () => ({ type: 'refused_qr', reason: 'unreadable' })
      const accepted = await quote()
      const answer = await create(tenant, request(accepted))
      const rejected = { status: 'rejected', quote: null, qr: null, target: accepted.target }
      expect(answer).toMatchObject({ type: 'payout', replayed: false, payout: rejected })
      const id = answer.type === 'payout' ? answer.payout.id : ''
      expect(await events(tenant.id, id)).toEqual([])
      expect((await w.quotes.find(tenant.id, accepted.id))?.status).toBe('open')
      expect(await create(tenant, request(accepted))).toEqual({ ...answer, replayed: true })
    })

    test.each(['MOCK\n', ' MOCK', '\uFEFFMOCK', 'MOCK'])(
      'the refusal of %j says whether white space is around it',
      async (content) => {
        const { tenant, quote } = await wallet()
        const { network, create, request } = newHarness()
        network.read = async () => ({ type: 'refused_qr', reason: 'unreadable' })
        const sent = { ...request(await quote()), content }
        const answer = await create(tenant, sent)
        const payout = answer.type === 'payout' ? answer.payout : undefined
        const error = payout?.status === 'rejected' ? payout.error : undefined
        expect(error?.code).toBe('QR_REFUSED')
        expect(error?.message.includes('white space')).toBe(content !== 'MOCK')
        expect(await create(tenant, sent)).toEqual({ ...answer, replayed: true })
      },
    )

    test('rejects a sandbox QR in production without reading it', async () => {
      const { tenant, quote } = await wallet()
      const content = `YWJj|5A0D${'0'.repeat(28)}`
      const { createdPayout, request, network } = newHarness({ environment: 'production' })
      expect(await createdPayout(tenant, request(await quote(), { content }))).toMatchObject({
        status: 'rejected',
        error: { code: 'QR_REFUSED' },
      })
      expect([network.readCalls, network.orders]).toEqual([[], []])
      expect(await newHarness().createdPayout(tenant, request(await quote(), { content }))).toMatchObject({
        status: 'completed',
      })
    })

    test('refuses an unknown, expired or used quote, writes nothing, and leaves the transaction_id free', async () => {
      const { tenant, quote } = await wallet()
      const { create, createdPayout, request, step, network } = newHarness()
      const used = await quote()
      const first = await createdPayout(tenant, request(used))
      const refusal = { type: 'refused', payoutId: null }
      expect(await create(tenant, request(used, { transactionId: 'b' }))).toEqual({
        ...refusal,
        code: 'QUOTE_ALREADY_USED',
        payoutId: first.id,
      })
      const unknown = '00000000-0000-7000-8000-000000000000'
      expect(await create(tenant, request(used, { transactionId: 'b', quoteId: unknown }))).toEqual({
        ...refusal,
        code: 'QUOTE_NOT_FOUND',
      })
      const expired = await quote()
      await step(60)
      expect(await create(tenant, request(expired, { transactionId: 'b' }))).toEqual({
        ...refusal,
        code: 'QUOTE_EXPIRED',
      })
      expect(await w.payouts.find(tenant.id, 'b')).toBeUndefined()
      expect(network.orders).toHaveLength(1)
    })

    test('cancels a payout whose quote expires between the lookup and the commit', async () => {
      const { tenant } = await wallet()
      const { network, createdPayout, request, step, untilIdle } = newHarness()
      const accepted = await w.newQuote(tenant.id, { lifeSeconds: 15 })
      const gate = newGate()
      network.read = async () => gate.pass().then(() => qrRead())
      const paying = createdPayout(tenant, request(accepted))
      await gate.reached
      await step(16)
      gate.open()
      await untilIdle()
      const payout = await paying
      expect(payout).toMatchObject({ status: 'cancelled', quote: null, error: { code: 'QUOTE_EXPIRED' } })
      expect(await events(tenant.id, payout.id)).toEqual(['payout.cancelled'])
    })

    test('cancels a payout whose quote is used between the lookup and the commit', async () => {
      const { tenant, quote } = await wallet()
      const { network, createdPayout, request } = newHarness()
      const accepted = await quote()
      const gate = newGate()
      network.read = async () => gate.pass().then(() => qrRead())
      const slow = createdPayout(tenant, request(accepted, { transactionId: 'slow' }))
      await gate.reached
      network.read = async () => qrRead()
      const fast = await createdPayout(tenant, request(accepted, { transactionId: 'fast' }))
      gate.open()
      expect(fast.status).toBe('completed')
      expect(await slow).toMatchObject({ status: 'cancelled', error: { code: 'QUOTE_ALREADY_USED' } })
    })

    test('throws Unavailable when the QR is not read within 20 s, and accepts nothing later', async () => {
      const { tenant, quote, has } = await wallet()
      const { network, create, request, step, untilIdle } = newHarness()
      const accepted = await quote()
      const gate = newGate()
      network.read = async () => gate.pass().then(() => qrRead())
      const paying = create(tenant, request(accepted)).catch((error: unknown) => error)
      await gate.reached
      await step(20)
      expect(await paying).toBeInstanceOf(Unavailable)
      gate.open()
      await untilIdle()
      expect(await w.payouts.find(tenant.id, request(accepted).transactionId)).toBeUndefined()
      expect((await w.quotes.find(tenant.id, accepted.id))?.status).toBe('open')
      expect(await has()).toEqual({ available: 1_000_000_000n, held: 0n })
      expect(network.orders).toEqual([])
    })

    test.each([
      ['the QR’s', 'the request’s', null],
      [null, 'the request’s', 'the request’s'],
      [null, null, 'Pago QR'],
    ])('description of the QR %j, of the request %j: sends %j', async (qr, description, sent) => {
      const { tenant, quote } = await wallet()
      const { network, createdPayout, request } = newHarness()
      network.read = async () => qrRead(null, qr)
      await createdPayout(tenant, request(await quote(), { description }))
      expect(network.orders).toMatchObject([{ description: sent }])
    })
  })
}
