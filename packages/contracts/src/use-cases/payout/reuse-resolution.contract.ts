import { describe, expect, test } from 'vitest'
import { type Resolution, usdt } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { quotedTenant } from '../../fixtures/payout/quoted-tenant.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { someQr } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { qrRead } from '../../fixtures/payout/payout-harness.ts'

type Needed =
  | 'payouts'
  | 'networkCalls'
  | 'quotes'
  | 'resolutions'
  | 'wallets'
  | 'proposals'
  | 'tenants'
  | 'events'

const content = 'a QR'

/** Proves that a payment reads its QR, unless the quote's resolution is recent and of the same content. */
export function reuseResolutionContract(name: string, open: OpenHarness<Needed>): void {
  describe(`reading QRs on ${name}`, () => {
    const world = useWorld(open, 'each')

    /** A tenant with a new resolution of the content, and quotes for it. */
    async function resolved(over: Partial<Resolution> = {}) {
      const harness = await quotedTenant(world(), usdt(1_000_000_000n))
      const { tenant, request, createdPayout } = harness
      const { type: _, ...read } = qrRead()
      const made = { id: 'qrr_1', tenantId: tenant.id, createdAt: someInstant }
      const resolution = { ...read, ...made, contentHash: sha256(content), ...over }
      await world().resolutions.insert(resolution)
      const pay = async (paying = content) => {
        const options = { resolutionId: resolution.id, lifeSeconds: 300 }
        const quote = await world().newQuote(tenant.id, options)
        return createdPayout(tenant, request(quote, { content: paying }))
      }
      return { ...harness, pay }
    }

    test('a resolution of the same content replaces reading the QR for 60 s', async () => {
      const { network, pay, step } = await resolved()
      expect(await pay()).toMatchObject({ status: 'completed', resolutionId: 'qrr_1', qr: someQr })
      await step(60)
      await pay()
      expect(network.readCalls).toEqual([])
      await step(1)
      expect(await pay()).toMatchObject({ status: 'completed' })
      expect(network.readCalls).toEqual([content])
    })

    test('a resolution of another content does not', async () => {
      const { network, pay } = await resolved()
      await pay('another QR')
      expect(network.readCalls).toEqual(['another QR'])
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
