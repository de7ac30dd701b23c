import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import type { AlertMessage, ClaimedAlert, RecordedAlert } from '@quipu/core/operator'
import { foundDifference } from '../../fixtures/difference/found-difference.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { openSubscriber, type SubscriberStores } from '../../fixtures/webhook/subscriber.ts'

type Needed = SubscriberStores | 'operatorAlerts' | 'differences'

const [leaseSeconds, repeatSeconds] = [30, 14_400]

/** The contract of an `OperatorAlertStore`. */
export function operatorAlertStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`operator alerts in ${name}`, () => {
    const w = useWorld(open, 'each')

    const alert = (w: World<Needed>, over: Partial<RecordedAlert> = {}): RecordedAlert => ({
      id: w.ids.next('alt', someInstant),
      code: 'NO_WORKER',
      subject: 'worker',
      tenantId: null,
      detail: 'no worker has run for 30 s',
      raisedAt: someInstant,
      isSent: false,
      ...over,
    })
    const claim = ({ operatorAlerts }: World<Needed>) => operatorAlerts.claim(leaseSeconds, repeatSeconds)
    const claimed = async (w: World<Needed>): Promise<ClaimedAlert> => (await claim(w)) ?? expect.fail('none is due')
    /** Claims and accepts everything that is due. */
    const taken = async (w: World<Needed>): Promise<readonly AlertMessage[]> => {
      const messages: AlertMessage[] = []
      for (;;) {
        const next = await claim(w)
        if (!next) return messages
        messages.push(next.message)
        expect(await w.operatorAlerts.accept(next.claim)).toBe('committed')
      }
    }
    const stepsOf = (messages: readonly AlertMessage[]) =>
      messages.map(({ status, sequence }) => `${status} ${sequence}`)

    test('what happened once is one message, and within an hour not another one of its subject', async () => {
      const once = alert(w, { code: 'SWEEP_FAILED', subject: 'swp_1', detail: 'out of energy' })
      await w.operatorAlerts.record([once, once, { ...once, id: alert(w).id }])
      const { isSent: _, ...message } = once
      expect(await taken(w)).toMatchObject([
        { ...message, raisedAt: once.raisedAt, status: 'raised', sequence: 0, further: 0 },
      ])
      await w.operatorAlerts.record([
        { ...once, id: alert(w).id },
        alert(w, { ...once, id: alert(w).id, subject: 'b' }),
      ])
      expect((await taken(w)).map(({ subject }) => subject)).toEqual(['b'])
      await w.advance(repeatSeconds + 1)
      expect(await claim(w)).toBeUndefined()
      await w.operatorAlerts.record([{ ...once, id: alert(w).id }])
      expect(stepsOf(await taken(w))).toEqual(['raised 0'])
    })

    test('a fault that several processes see is one alert, is repeated while it lasts, and is resolved once none sees it', async () => {
      await w.operatorAlerts.record([alert(w)])
      await w.operatorAlerts.see([alert(w), alert(w, { detail: 'for 35 s' })])
      const [raised] = await taken(w)
      expect(raised).toMatchObject({ status: 'raised', endedAt: null })
      for (let at = 0; at <= repeatSeconds; at += repeatSeconds / 2) {
        await w.advance(repeatSeconds / 2)
        await w.operatorAlerts.see([alert(w, { detail: 'for long' })])
        if (at === 0) expect(await claim(w)).toBeUndefined()
        if (at === repeatSeconds / 2)
          expect(await taken(w)).toMatchObject([
            { id: raised?.id, status: 'repeated', sequence: 1, detail: 'for long' },
          ])
      }
      await w.advance(14)
      expect(await claim(w)).toBeUndefined()
      await w.advance(5)
      expect(await taken(w)).toMatchObject([{ id: raised?.id, status: 'resolved', sequence: 2 }])
      await w.operatorAlerts.see([alert(w)])
      const [again] = await taken(w)
      expect(again).toMatchObject({ status: 'raised', sequence: 0 })
      expect(again?.id).not.toBe(raised?.id)
    })

    test('a fault that ended before its message is raised, then resolved', async () => {
      await w.operatorAlerts.see([alert(w)])
      await w.advance(60)
      expect(stepsOf(await taken(w))).toEqual(['raised 0', 'resolved 1'])
    })

    test('an alert that its process has sent is only resolved, under the same id', async () => {
      const sent = alert(w, { code: 'DATABASE_CANNOT_COMMIT', subject: 'database', isSent: true })
      await w.operatorAlerts.record([{ ...sent, isSent: false }, sent])
      expect(await claim(w)).toBeUndefined()
      await w.advance(6)
      expect(await taken(w)).toMatchObject([{ id: sent.id, status: 'resolved', sequence: 1 }])
    })

    test('a difference is repeated at once when it changes, and resolved when it is gone', async () => {
      const found = foundDifference(w.ids)
      const { subject } = found
      await w.differences.record([found], someInstant)
      const raised = alert(w, { code: 'NETWORK_DIFFERENCE', subject })
      await w.operatorAlerts.record([raised])
      await w.operatorAlerts.record([{ ...raised, id: alert(w).id, detail: 'now 6.00 BOB off' }])
      expect(stepsOf(await taken(w))).toEqual(['raised 0'])
      await w.operatorAlerts.record([{ ...raised, id: alert(w).id, detail: 'now 7.00 BOB off' }])
      expect(await taken(w)).toMatchObject([{ id: raised.id, status: 'repeated', detail: 'now 7.00 BOB off' }])
      await w.differences.resolveUnseen({ check: 'network', scope: '' }, new Date(someInstant.getTime() + 60_000))
      await w.advance(6)
      expect(stepsOf(await taken(w))).toEqual(['resolved 2'])
    })

    test('alerts are listed, the newest first, with what the gateway accepted', async () => {
      const raised = alert(w, { code: 'DATABASE_CANNOT_COMMIT', subject: 'database' })
      await w.operatorAlerts.record([raised])
      const next = await claimed(w)
      await w.operatorAlerts.retry(next.claim, 0)
      const { isSent: _, ...known } = raised
      const unsent = { ...known, status: 'raised', endedAt: null, sent: 0, acceptedAt: null, failedAttempts: 1 }
      expect(await w.operatorAlerts.list()).toEqual([unsent])
      await taken(w)
      await w.advance(6)
      await taken(w)
      const newer = alert(w, { id: w.ids.next('alt', new Date(someInstant.getTime() + 1)) })
      await w.operatorAlerts.record([newer])
      expect(await w.operatorAlerts.list()).toMatchObject([
        { id: newer.id, sent: 0 },
        { ...known, status: 'resolved', endedAt: expect.any(Date) as Date, sent: 2, failedAttempts: 0 },
      ])
    })

    test('a payout’s alert is resolved when it has ended, an endpoint’s when it is active again', async () => {
      const tenantId = await w.newWallet(usdt(50_000_000n))
      const payout = await w.newPayout(await w.newQuote(tenantId))
      const { newEndpoint, pause, reactivate } = await openSubscriber(w)
      const endpoint = await newEndpoint()
      await pause()
      await w.operatorAlerts.record([
        alert(w, { code: 'PROCESSING_TOO_LONG', subject: payout.id, tenantId }),
        alert(w, { code: 'WEBHOOK_PAUSED', subject: endpoint.id, tenantId: endpoint.tenantId }),
      ])
      expect(stepsOf(await taken(w))).toEqual(['raised 0', 'raised 0'])
      await w.advance(6)
      expect(await claim(w)).toBeUndefined()
      const paid = { type: 'paid', amount: payout.target, paymentId: 'np-1' } as const
      expect(await w.payouts.commit(w.settleCommit(payout, paid))).toBe('committed')
      await w.advance(6)
      expect((await taken(w)).map(({ code, status }) => [code, status])).toEqual([['PROCESSING_TOO_LONG', 'resolved']])
      await reactivate(endpoint.id)
      await w.advance(6)
      expect((await taken(w)).map(({ code, status }) => [code, status])).toEqual([['WEBHOOK_PAUSED', 'resolved']])
    })

    test('an unsent sweep is resolved when nothing keeps it, refused payouts when eight of ten later ones are paid', async () => {
      const tenantId = await w.newWallet(usdt(500_000_000n))
      await w.operatorAlerts.record([
        alert(w, { code: 'PAYOUTS_FAIL', subject: 'network' }),
        alert(w, { code: 'SWEEP_UNSENT', subject: 'swp_1' }),
      ])
      expect(stepsOf(await taken(w))).toEqual(['raised 0', 'raised 0'])
      await w.advance(6)
      const settle = async (isPaid: boolean): Promise<void> => {
        const payout = await w.newPayout(await w.newQuote(tenantId))
        const paid = { type: 'paid', amount: payout.target, paymentId: payout.id } as const
        const answer = isPaid ? paid : ({ type: 'refused_payment' } as const)
        expect(await w.payouts.commit(w.settleCommit(payout, answer))).toBe('committed')
      }
      for (const isPaid of [false, false, false, ...Array<true>(7).fill(true)]) await settle(isPaid)
      expect((await taken(w)).map(({ code, status }) => [code, status])).toEqual([['SWEEP_UNSENT', 'resolved']])
      await settle(true)
      await w.advance(6)
      expect((await taken(w)).map(({ code, status }) => [code, status])).toEqual([['PAYOUTS_FAIL', 'resolved']])
    })

    test('more than ten alerts of a code are one message, which stands for all', async () => {
      const many = Array.from({ length: 12 }, (_, n) => alert(w, { code: 'ORDER_NOT_SENT', subject: `po_${n}` }))
      await w.operatorAlerts.record([...many.slice(0, 10), alert(w)])
      expect(await taken(w)).toHaveLength(11)
      const others = many.map((each, n) => ({ ...each, id: alert(w).id, subject: `po_${n + 100}` }))
      await w.operatorAlerts.record(others)
      expect((await taken(w)).map(({ further }) => further)).toEqual([11])
      expect((await w.operatorAlerts.sent()).waiting.count).toBe(0)
    })

    test('a lost lease repeats the message under a new claim; a failed attempt pauses that alert alone', async () => {
      await w.operatorAlerts.record([alert(w)])
      const lost = await claimed(w)
      expect(await claim(w)).toBeUndefined()
      await w.operatorAlerts.see([alert(w)])
      await w.advance(leaseSeconds + 1)
      await w.operatorAlerts.see([alert(w)])
      const again = await claimed(w)
      expect(again.message).toEqual(lost.message)
      for (const end of [w.operatorAlerts.accept(lost.claim), w.operatorAlerts.retry(lost.claim, 0)])
        expect(await end).toBe('stale')
      expect(await w.operatorAlerts.retry(again.claim, 20_000)).toBe('committed')
      expect(await w.operatorAlerts.accept(again.claim)).toBe('stale')
      await w.operatorAlerts.record([alert(w, { code: 'SWEEP_FAILED' })])
      expect((await taken(w)).map(({ code }) => code)).toEqual(['SWEEP_FAILED'])
      const { waiting, acceptedAt } = await w.operatorAlerts.sent()
      expect([waiting.count, acceptedAt !== null]).toEqual([1, true])
      await w.advance(21)
      await w.operatorAlerts.see([alert(w)])
      expect((await claimed(w)).failedAttempts).toBe(1)
    })
  })
}
