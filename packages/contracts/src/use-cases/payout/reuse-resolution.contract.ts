import { describe, expect, test } from 'vitest'
import { cancelling, defaultPayoutSettings, type NetworkCapabilities, type Resolution, usdt } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { eventsAbout } from '../../fixtures/events-about.ts'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { someQr } from '../../fixtures/builders.ts'
import { type PayoutStores, type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { qrRead } from '../../fixtures/payout/payout-harness.ts'

type Needed = PayoutStores | 'resolutions'

const content = 'a QR'

/** Proves that a payment reads its QR, unless the quote's resolution is recent and of the same content. */
export function reuseResolutionContract(name: string, open: OpenHarness<Needed>): void {
  describe(`reading QRs on ${name}`, () => {
    const w = useWorld(open, 'each')

    /** A tenant with a new resolution of the content, and quotes for it. */
    async function resolved(over: Partial<Resolution> = {}, capabilities?: NetworkCapabilities) {
      const harness = await quotedTenant(w, usdt(1_000_000_000n), capabilities)
      const { tenant, request, createdPayout } = harness
      const { type: _, ...read } = qrRead()
      const made = { id: 'qrr_1', tenantId: tenant.id, createdAt: someInstant }
      const resolution = { ...read, ...made, contentHash: sha256(content), ...over }
      await w.resolutions.insert(resolution, null)
      const pay = async (paying = content) => {
        const options = { resolutionId: resolution.id, lifeSeconds: 300 }
        const quote = await w.newQuote(tenant.id, options)
        return createdPayout(tenant, request(quote, { content: paying }))
      }
      return { ...harness, pay }
    }

    test('a resolution of the same content replaces reading the QR for its time', async () => {
      const { network, pay, step } = await resolved()
      expect(await pay()).toMatchObject({ status: 'completed', resolutionId: 'qrr_1', qr: someQr })
      await step(defaultPayoutSettings.resolutionFreshSeconds)
      await pay()
      expect(network.readCalls).toEqual([])
      await step(1)
      expect(await pay()).toMatchObject({ status: 'completed' })
      expect(network.readCalls).toEqual([content])
    })

    test('a reading that serves one order is never reused', async () => {
      const { network, pay } = await resolved({}, { ...cancelling, isReadingSingleUse: true })
      for (let times = 1; times <= 2; times++) {
        expect(await pay()).toMatchObject({ status: 'completed' })
        expect(network.readCalls).toHaveLength(times)
      }
    })

    test('a resolution of another content does not', async () => {
      const { network, pay } = await resolved()
      await pay('another QR')
      expect(network.readCalls).toEqual(['another QR'])
    })

    test.each([
      ['another bank', { name: someQr.merchant.name, bankCode: '1017' }, false],
      ['another name', { name: 'Otra tienda', bankCode: someQr.merchant.bankCode }, false],
      ['no name and another bank', { name: '', bankCode: '1017' }, false],
      ['no name', { name: '', bankCode: someQr.merchant.bankCode }, true],
      [
        'its name with other spaces and decomposed accents',
        { ...someQr.merchant, name: ` ${someQr.merchant.name.normalize('NFD')}`.replace(' D', '  D') },
        true,
      ],
    ])('another QR of the quoted amount, with %s', async (_, merchant, isPaid) => {
      const { network, pay, tenant } = await resolved()
      network.read = async () => ({ ...qrRead(), merchant })
      const payout = await pay('another QR')
      if (isPaid) {
        expect(payout).toMatchObject({ status: 'completed', resolutionId: 'qrr_1', qr: { merchant } })
        return
      }
      expect(payout).toMatchObject({
        status: 'cancelled',
        quote: null,
        qr: { merchant },
        resolutionId: 'qrr_1',
        error: { code: 'QUOTE_RESOLUTION_MISMATCH' },
      })
      expect(network.orders).toEqual([])
      const view = await w.quotes.find(tenant.id, payout.quoteId)
      expect(view?.status).toBe('open')
      const types = (await eventsAbout(w, tenant.id, payout.id)).map(({ type }) => type)
      expect(types).toEqual(['payout.cancelled'])
    })

    test('the resolved QR is paid, whatever its merchant is called by now', async () => {
      const { network, pay, step } = await resolved()
      network.read = async () => ({ ...qrRead(), merchant: { name: 'Otra', bankCode: '1' } })
      await step(61)
      expect(await pay()).toMatchObject({ status: 'completed' })
    })

    test('an open resolution without a name matches a QR of its bank', async () => {
      const { network, pay } = await resolved({ merchant: { ...someQr.merchant, name: '' } })
      network.read = async () => qrRead()
      expect(await pay('another QR')).toMatchObject({ status: 'completed' })
    })

    test('a resolution whose QR has expired does not', async () => {
      const expiresAt = new Date(someInstant.getTime() + 10_000)
      const { network, pay, step } = await resolved({ expiresAt })
      await step(9)
      await pay()
      expect(network.readCalls).toEqual([])
      await step(1)
      await pay()
      expect(network.readCalls).toEqual([content])
    })
  })
}
