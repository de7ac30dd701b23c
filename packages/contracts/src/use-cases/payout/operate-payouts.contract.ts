import { describe, expect, test } from 'vitest'
import { bob, defaultResumeSettings, type NetworkCapabilities, usdt } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { operatePayouts } from '@quipu/core/operator'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { findableKinds } from '../../fixtures/payout/without-cancel.ts'
import { newGate } from '../../fixtures/gate.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { operatorNamed } from '../../fixtures/proposal/operators.ts'

type Needed = PayoutStores | 'payoutDecisions'

const funds = 1_000_000_000n
const silence: NetworkAnswer = { type: 'unknown', reason: 'timeout' }

/** Proves how operators query the network about payouts that hang. */
export function operatePayoutsContract(name: string, open: OpenHarness<Needed>): void {
  for (const [kind, capabilities] of findableKinds)
    describe(`operating payouts on ${name} with a network ${kind}`, () => {
      operateTests(open, capabilities)
    })
}

function operateTests(open: OpenHarness<Needed>, capabilities: NetworkCapabilities): void {
  const w = useWorld(open, 'each')
  const canCancel = capabilities.unpaidProof.by === 'cancel'

  /** A payout whose request the network did not answer; nobody has queried since. */
  async function hanging(answer: NetworkAnswer = silence) {
    const begun = await quotedTenant(w, usdt(funds), capabilities)
    const { network, createdPayout, tenant, request, quote, ports } = begun
    network.answer = async () => answer
    const { id } = await createdPayout(tenant, request(quote))
    const operate = operatePayouts({ ...ports, payoutDecisions: w.payoutDecisions }, defaultResumeSettings)
    const paid = (minor = quote.target.minor): NetworkAnswer =>
      network.record(id, { type: 'paid', amount: bob(minor), paymentId: 'np-1' })
    return { ...begun, id, operate, paid }
  }
  const byAna = { queriedBy: 'operator', actor: 'ana' }

  test('querying settles a payout that the network has paid', async () => {
    const { id, operate, paid, balance, source, eventTypes } = await hanging()
    paid()
    expect(await operate.query(operatorNamed('ana'), id)).toMatchObject({
      type: 'queried',
      payout: { status: 'completed', networkPaymentId: 'np-1' },
      calls: [{ ...byAna, kind: 'status', answer: 'paid' }],
    })
    expect(await balance()).toEqual({ available: funds - source, held: 0n })
    expect(await eventTypes(id)).toEqual(['payout.completed'])
  })

  if (canCancel)
    test('querying cancels a reference that the network has not seen', async () => {
      const { id, operate, balance } = await hanging()
      const calls = [
        { ...byAna, kind: 'status', answer: 'not_seen' },
        { ...byAna, kind: 'cancel', answer: 'cancelled' },
      ]
      expect(await operate.query(operatorNamed('ana'), id)).toMatchObject({ payout: { status: 'cancelled' }, calls })
      expect(await balance()).toEqual({ available: funds, held: 0n })
    })

  test('a query that finds a wrong amount keeps the hold, and workers go on', async () => {
    const { id, operate, paid, balance, source, alerts, step, runWorker } = await hanging()
    paid(9_900n)
    expect(await operate.query(operatorNamed('ana'), id)).toMatchObject({
      payout: { status: 'processing' },
      calls: [{ detail: 'BOB 99.00, payment np-1' }],
    })
    expect(await balance()).toEqual({ available: funds - source, held: source })
    expect(alerts.map(({ code }) => code)).toEqual(['PAID_WRONG_AMOUNT'])
    paid()
    await step(300)
    expect(await runWorker()).toMatchObject([{ status: 'completed' }])
  })

  if (canCancel)
    test('cancelling ends the payout without a status call; nothing can be paid after it', async () => {
      const { id, operate, network, paid, balance } = await hanging()
      expect(await operate.cancel(operatorNamed('ana'), id)).toMatchObject({
        payout: { status: 'cancelled', error: { code: 'PAYMENT_CANCELLED' } },
        calls: [{ ...byAna, kind: 'cancel', answer: 'cancelled' }],
      })
      expect(network.statusCalls).toEqual([])
      expect(paid()).toEqual({ type: 'cancelled' })
      expect(await balance()).toEqual({ available: funds, held: 0n })
    })

  if (canCancel)
    test('cancelling a payment that exists completes the payout', async () => {
      const { id, operate, paid, eventTypes } = await hanging()
      paid()
      expect(await operate.cancel(operatorNamed('ana'), id)).toMatchObject({ payout: { status: 'completed' } })
      expect(await eventTypes(id)).toEqual(['payout.completed'])
    })

  if (!canCancel)
    test('a network that cannot cancel: querying leaves the hold, and cancelling is refused', async () => {
      const { id, operate, balance, source } = await hanging()
      expect(await operate.cancel(operatorNamed('ana'), id)).toEqual({ type: 'refused', code: 'cannot_cancel' })
      expect(await operate.query(operatorNamed('ana'), id)).toMatchObject({ payout: { status: 'processing' } })
      expect(await balance()).toEqual({ available: funds - source, held: source })
    })

  test('while the request pays, nobody queries and nothing is cancelled', async () => {
    const { network, create, tenant, request, quote, ports, untilIdle } = await quotedTenant(
      w,
      usdt(funds),
      capabilities,
    )
    const decisions = { ...ports, payoutDecisions: w.payoutDecisions }
    const operate = operatePayouts(decisions, defaultResumeSettings)
    const gate = newGate()
    const { answer } = network
    network.answer = async (order) => gate.pass().then(() => answer(order))
    const paying = create(tenant, request(quote))
    await gate.reached
    const id = network.orders[0]?.reference ?? ''
    for (const call of canCancel ? [operate.query, operate.cancel] : [operate.query])
      expect(await call(operatorNamed('ana'), id)).toEqual({ type: 'refused', code: 'leased' })
    gate.open()
    await untilIdle()
    expect(await paying).toMatchObject({ payout: { status: 'completed' } })
    expect(network.statusCalls).toEqual([])
  })

  test('operators and workers who race settle once, and read the same outcome', async () => {
    const { id, operate, paid, step, runWorker, eventTypes, balance, source } = await hanging()
    await step(2)
    paid()
    const answers = await Promise.all([
      operate.query(operatorNamed('ana'), id),
      runWorker(),
      operate.cancel(operatorNamed('eva'), id),
      operate.query(operatorNamed('eva'), id),
    ])
    expect(answers.flat().length).toBeGreaterThan(0)
    expect(await eventTypes(id)).toEqual(['payout.completed'])
    expect(await balance()).toEqual({ available: funds - source, held: 0n })
  })

  test('a network that contradicts an ended payout changes nothing and is one difference', async () => {
    const { id, operate, network, alerts, balance } = await hanging({ type: 'refused_payment' })
    network.record(id, { type: 'paid', amount: bob(10_000n), paymentId: 'np-2' })
    expect(await operate.query(operatorNamed('ana'), id)).toMatchObject({
      payout: { status: 'failed' },
      calls: [{ ...byAna, answer: 'paid' }],
    })
    for (let times = 0; times < 3; times++) await operate.query(operatorNamed('ana'), id)
    expect(alerts).toEqual([])
    const { items } = await w.differences.list({ limit: 9 })
    expect(items).toMatchObject([{ kind: 'contradicts', subject: id, status: 'open', detail: 'failed, then paid' }])
    expect(await w.differences.listChanged(items[0]?.change ?? 0n, new Date(), 9)).toEqual([])
    expect(await operate.cancel(operatorNamed('ana'), id)).toEqual({
      type: 'refused',
      code: canCancel ? 'already_ended' : 'cannot_cancel',
    })
    expect(await balance()).toEqual({ available: funds, held: 0n })
  })

  test('refuses an unknown payout, and one that was never sent', async () => {
    const { operate, createdPayout, tenant, request } = await hanging()
    const unknown = 'po_00000000000000000000000000'
    expect(await operate.query(operatorNamed('ana'), unknown)).toEqual({ type: 'refused', code: 'not_found' })
    const dear = await w.newQuote(tenant.id, { source: usdt(funds + 1n) })
    const { id } = await createdPayout(tenant, request(dear))
    for (const call of canCancel ? [operate.query, operate.cancel] : [operate.query])
      expect(await call(operatorNamed('ana'), id)).toEqual({ type: 'refused', code: 'already_ended' })
  })
}
