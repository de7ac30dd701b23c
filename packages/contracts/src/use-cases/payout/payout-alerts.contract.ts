import { describe, expect, test } from 'vitest'
import { bob, usdt } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { networkKinds } from '../../fixtures/payout/without-cancel.ts'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'

const funds = 1_000_000_000n

/** Proves the alerts about payouts in `processing`, and how often each is raised. */
export function payoutAlertsContract(name: string, open: OpenHarness<PayoutStores>): void {
  for (const kind of networkKinds) payoutAlertsTests(name, open, kind)
}

function payoutAlertsTests(
  name: string,
  open: OpenHarness<PayoutStores>,
  [kind, capabilities]: (typeof networkKinds)[number],
): void {
  describe(`alerts about payouts on ${name} with a network ${kind}`, () => {
    const w = useWorld(open, 'each')

    const begin = () => quotedTenant(w, usdt(funds), capabilities)

    test.each<[string, NetworkAnswer]>([
      ['another amount', { type: 'paid', amount: bob(9_999n), paymentId: 'p' }],
      ['another currency', { type: 'paid', amount: null, paymentId: 'p' }],
    ])('paid with %s: stays in processing, keeps the hold, and raises an alert', async (_, wrong) => {
      const { tenant, quote, network, create, request, step, runWorker, balance, currentPayout, alerts, source } =
        await begin()
      network.answer = async (order) => network.record(order.reference, wrong)
      expect(await create(tenant, request(quote))).toMatchObject({ payout: { status: 'processing' } })
      await step(2)
      await runWorker()
      expect(await currentPayout()).toMatchObject({ status: 'processing' })
      expect(await balance()).toEqual({ available: funds - source, held: source })
      expect(alerts.map(({ code }) => code)).toEqual(['PAID_WRONG_AMOUNT'])
    })

    test('a wrong amount raises one alert with both amounts, and another when it changes', async () => {
      const { tenant, quote, network, create, request, step, runWorker, alerts } = await begin()
      const paid = (minor: bigint): NetworkAnswer => ({ type: 'paid', amount: bob(minor), paymentId: 'p' })
      network.answer = async (order) => network.record(order.reference, paid(9_900n))
      const answer = await create(tenant, request(quote))
      const run = async (): Promise<void> => {
        for (let second = 0; second < 400; second++) {
          await step(1)
          await runWorker()
        }
      }
      await run()
      network.record(answer.type === 'payout' ? answer.payout.id : '', paid(9_800n))
      await run()
      const wrongAmountAlert = (amount: string) => ({
        code: 'PAID_WRONG_AMOUNT',
        detail: `ordered BOB 100.00, paid BOB ${amount}; the hold stays until an operator decides`,
      })
      expect(alerts).toMatchObject([wrongAmountAlert('99.00'), wrongAmountAlert('98.00')])
    })

    test.each<[string, NetworkAnswer, readonly string[]]>([
      ['a timeout', { type: 'unknown', reason: 'timeout' }, []],
      ['a breach of the protocol', { type: 'unknown', reason: '409', breach: true }, ['UNEXPECTED_ANSWER']],
      ['not_sent', { type: 'not_sent', reason: '400' }, ['ORDER_NOT_SENT']],
    ])('the alerts of %s', async (_, answer, codes) => {
      const { tenant, quote, network, create, request, alerts } = await begin()
      network.answer = async () => answer
      await create(tenant, request(quote))
      expect(alerts.map(({ code }) => code)).toEqual(codes)
    })
  })
}
