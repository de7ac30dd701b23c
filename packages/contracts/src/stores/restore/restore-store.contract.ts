import { Unavailable, usdt } from '@quipu/core'
import { auditPayoutStop } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { paidAnswer } from '../../fixtures/builders.ts'
import { approveAction } from '../../fixtures/proposal/approve-action.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

/** The contract of a `RestoreStore`. */
export function restoreStoreContract(name: string, open: OpenHarness): void {
  describe(`restore store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('payments begin, until one is forgotten; the first reason stays', async () => {
      const { restores, payouts, newWallet, newQuote, acceptCommit } = w
      const quote = await newQuote(await newWallet(usdt(100n)), { source: usdt(10n) })
      const gate = await restores.gate()
      expect(gate).toMatchObject({ halt: null, unchecked: null })
      await restores.haltForgotten(gate, 'po_1 is not here')
      await restores.haltForgotten(gate, 'po_2 is not here')
      const { halt } = await restores.gate()
      expect(halt).toMatchObject({ reason: 'payment_forgotten', detail: 'po_1 is not here' })
      expect(halt?.at).toBeInstanceOf(Date)
      await expect(payouts.commit(acceptCommit(quote))).rejects.toThrow(Unavailable)
    })

    test('while an operator has stopped payouts no new one is written, and the rest goes on', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const [paid, next] = [
        await w.newQuote(tenantId, { source: usdt(10n) }),
        await w.newQuote(tenantId, { source: usdt(10n) }),
      ]
      const accept = w.acceptCommit(next, { transactionId: 'stays-free' })
      const payout = await w.newPayout(paid)
      const stop = { at: someInstant, by: 'ana', reason: 'La red paga dos veces. 💸' }
      expect((await w.restores.gate()).stop).toBeNull()
      expect(await w.restores.stop(stop.reason, { ...credentialOf('vic'), at: someInstant })).toBe('unauthorized')
      expect(await w.restores.stop(stop.reason, { ...credentialOf('ana'), at: someInstant })).toBe('committed')
      expect(await w.restores.stop('again', { ...credentialOf('eva'), at: someInstant })).toBe('stale')
      expect(await w.restores.gate()).toMatchObject({ stop, halt: null })
      await expect(w.payouts.commit(accept)).rejects.toThrow(Unavailable)
      await expect(w.payouts.commit(w.insertEndedCommit(next))).rejects.toThrow(Unavailable)
      expect(await w.payouts.find(tenantId, 'stays-free')).toBeUndefined()
      expect((await w.quotes.find(tenantId, next.id))?.status).toBe('open')
      expect(await w.payouts.commit(w.settleCommit(payout, paidAnswer(payout)))).toBe('committed')

      const author = { tenantId: null, actor: 'ana', reason: 'reparada' }
      const action = { type: 'start_payouts', stoppedAt: stop.at } as const
      const first = await approveAction(w, { ...author, id: w.ids.next('prp', someInstant) }, action)
      expect((await w.restores.gate()).stop).toBeNull()
      expect(await w.payouts.commit(accept)).toBe('committed')
      const entries = await auditEntries(w.audit, { subject: 'payouts', limit: 9 })
      expect(entries).toEqual([
        auditPayoutStop({ proposalId: first.id }, { ...originOf('ana'), at: expect.any(Date) as Date }),
        auditPayoutStop({ reason: stop.reason }, { ...originOf('ana'), at: stop.at }),
      ])

      const later = new Date(someInstant.getTime() + 1)
      await w.restores.stop('again', { ...credentialOf('eva'), at: later })
      const late = await approveAction(w, { ...author, id: w.ids.next('prp', someInstant) }, action)
      expect(await w.proposals.find(late.id)).toMatchObject({ failure: { code: 'NOT_RESUMABLE' } })
      expect((await w.restores.gate()).stop?.reason).toBe('again')
    })

    test('a start that is not the store’s is not accepted', async () => {
      const { restores } = w
      const server = { start: '2026-01-01T00:00:00Z', comparedFrom: new Date(0) }
      expect(await restores.accept(server)).toBe(false)
    })
  })
}
