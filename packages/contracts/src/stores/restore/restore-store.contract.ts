import { Unavailable, usdt } from '@quipu/core'
import { describe, expect, test } from 'vitest'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

/** The contract of a `RestoreStore`. */
export function restoreStoreContract(name: string, open: OpenHarness): void {
  describe(`restore store in ${name}`, () => {
    const world = useWorld(open, 'each')

    test('payments begin, until one is forgotten; the first reason stays', async () => {
      const { restores, payouts, newWallet, newQuote, acceptCommit } = world()
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

    test('a start that is not the store’s is not accepted', async () => {
      const { restores } = world()
      const server = { start: '2026-01-01T00:00:00Z', comparedFrom: new Date(0) }
      expect(await restores.accept(server)).toBe(false)
    })
  })
}
