import { describe, expect, test } from 'vitest'
import { Unavailable, usdt } from '@quipu/core'
import { auditQuoting } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'quoting' | 'quotes' | 'payouts' | 'proposals' | 'wallets' | 'tenants' | 'audit' | 'backlog'

const at = new Date('2026-03-04T05:06:07.089Z')
const pause = { by: 'ana', at, reason: 'Las fuentes se contradicen. 💸' }
const resumption = { by: 'eva', at: new Date(at.getTime() + 1_000), reason: null }

/** The contract of a `QuotingStore`, and that a `QuoteStore` obeys it. */
export function quotingStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`quoting store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a pause and a resumption are each written once, with an audit entry', async () => {
      expect(await w.quoting.get()).toEqual({ status: 'open', change: null })
      expect(await w.quoting.set('open', resumption, credentialOf(resumption.by))).toBe('stale')
      expect(await w.quoting.set('paused', pause, credentialOf(pause.by))).toBe('committed')
      expect(await w.quoting.set('paused', { ...pause, by: 'eva' }, credentialOf('eva'))).toBe('stale')
      expect(await w.quoting.get()).toEqual({ status: 'paused', change: pause })
      expect(await w.quoting.set('open', resumption, credentialOf(resumption.by))).toBe('committed')
      expect(await w.quoting.get()).toEqual({ status: 'open', change: resumption })
      expect(await auditEntries(w.audit, { subject: 'quoting', limit: 9 })).toEqual([
        auditQuoting('open', resumption, originOf(resumption.by)),
        auditQuoting('paused', pause, originOf(pause.by)),
      ])
    })

    test('of concurrent pauses one is written', async () => {
      const results = await Promise.all(
        ['ana', 'eva', 'luz'].map((by) => w.quoting.set('paused', { ...pause, by }, credentialOf(by))),
      )
      expect(results.toSorted()).toEqual(['committed', 'stale', 'stale'])
      expect(await auditEntries(w.audit, { subject: 'quoting', limit: 9 })).toHaveLength(1)
    })

    test('while it is paused no quote is inserted, and those that exist can be paid', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const quote = await w.newQuote(tenantId, { source: usdt(10n) })
      await w.quoting.set('paused', pause, credentialOf(pause.by))
      expect(await w.backlog.read()).toMatchObject({ isQuotingPaused: true })
      const refused = w.newQuote(tenantId, { source: usdt(10n) })
      await expect(refused).rejects.toThrow(Unavailable)
      await expect(refused).rejects.toMatchObject({ dependency: 'rate_source' })
      const { id: payoutId } = await w.newPayout(quote)
      expect(await w.quotes.find(tenantId, quote.id)).toMatchObject({ status: 'used', payoutId })
      await w.quoting.set('open', resumption, credentialOf(resumption.by))
      await w.newQuote(tenantId, { source: usdt(10n) })
    })
  })
}
