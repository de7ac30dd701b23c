import { type Screening, type ScreeningSubject, senderSubject } from '@quipu/core'
import { merchantSubject, tenantSubject } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'

/** An entry of the list that the adapter under test answers from. */
export type ListedEntry = { readonly kind: 'address' | 'name'; readonly text: string; readonly reason: string }

/** The list in force, with its version. */
export type PublishedList = {
  readonly list: string
  readonly version: string
  readonly entries: readonly ListedEntry[]
}

/** An adapter, and the publisher of its list; `publish` resolves when the next answer has the new list. */
export type ScreeningHarness = { readonly screening: Screening; publish(list: PublishedList): Promise<void> }

const first: PublishedList = {
  list: 'sanctions',
  version: '2026-11-20',
  entries: [
    { kind: 'address', text: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', reason: 'stolen funds' },
    { kind: 'name', text: 'José Peña', reason: 'fraud' },
  ],
}
const merchant = (name: string): ScreeningSubject => merchantSubject({ name, bankCode: '1014' })
const listed = { outcome: 'listed', list: 'sanctions', version: '2026-11-20' }
const clear = { outcome: 'clear', list: 'sanctions', version: '2026-11-20' }

/** The contract of a `Screening`. */
export function screeningContract(name: string, open: (list: PublishedList) => Promise<ScreeningHarness>): void {
  describe(`screening by ${name}`, () => {
    test('finds an address, and no other spelling of it', async () => {
      const { screening } = await open(first)
      const address = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
      expect(await screening.screen(senderSubject(address))).toEqual({ ...listed, reason: 'stolen funds' })
      expect(await screening.screen(senderSubject(address.toLowerCase()))).toEqual(clear)
      expect(await screening.screen(merchant(address))).toEqual(clear)
    })

    test.each(['José Peña', 'PEÑA, JOSE', '  pen\u0303a   josé ', 'Jose-Pena'])('finds the name %j', async (text) => {
      const { screening } = await open(first)
      expect(await screening.screen(merchant(text))).toEqual({ ...listed, reason: 'fraud' })
      const tenant = { id: 'ten_1', legalName: 'Tienda', technicalContact: { name: text, email: 'a@b.example' } }
      expect(await screening.screen(tenantSubject(tenant))).toEqual({ ...listed, reason: 'fraud' })
    })

    test.each(['José', 'José Peña Peña', 'José Penna', '', 'José Luis Peña'])('has %j clear', async (text) => {
      const { screening } = await open(first)
      expect(await screening.screen(merchant(text))).toEqual(clear)
      expect(await screening.screen(senderSubject(text))).toEqual(clear)
    })

    test('answers from the newest list', async () => {
      const { screening, publish } = await open(first)
      expect(await screening.screen(merchant('Ana'))).toEqual(clear)
      await publish({ list: 'own', version: '2', entries: [{ kind: 'name', text: 'ana', reason: 'court order 7' }] })
      const now = { list: 'own', version: '2' }
      expect(await screening.screen(merchant('Ana'))).toEqual({ ...now, outcome: 'listed', reason: 'court order 7' })
      expect(await screening.screen(merchant('José Peña'))).toEqual({ ...now, outcome: 'clear' })
    })
  })
}
