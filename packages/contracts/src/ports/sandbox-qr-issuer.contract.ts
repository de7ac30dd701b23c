import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bob } from '@quipu/core'
import { anySandboxQrRequest } from '../fixtures/payout/payout-arbitraries.ts'
import { useResource } from '../fixtures/resource.ts'
import { never, newReference, type OpenQrNetwork, qr } from './payment-orders.ts'
import type { Runs } from '../fixtures/runs.ts'

/** The contract of a `SandboxQrIssuer`. */
export function sandboxQrIssuerContract(name: string, open: OpenQrNetwork, { runs = 25 }: Runs = {}): void {
  describe(`sandbox QRs of ${name}`, () => {
    const harness = useResource(open)

    test('issues the requested QR, with at most 500 characters, for 24 hours', async () => {
      const { issuer, network } = harness()
      await fc.assert(
        fc.asyncProperty(anySandboxQrRequest, async (request) => {
          const { merchantName, ...asked } = request
          const { at } = await network.liquidity()
          const issued = await issuer.issue(request)
          expect(issued).toMatchObject(asked)
          if (merchantName !== null) expect(issued.merchant.name).toBe(merchantName)
          expect(issued.merchant.name).not.toBe('')
          expect(issued.merchant.bankCode).toMatch(/^\d{1,10}$/)
          expect(Array.from(issued.content).length).toBeLessThanOrEqual(500)
          const lifeMs = issued.expiresAt.getTime() - at.getTime()
          expect(Math.abs(lifeMs - 24 * 3_600_000)).toBeLessThan(60_000)
        }),
        { numRuns: runs },
      )
    })

    test('equal requests get different contents', async () => {
      const { issuer } = harness()
      const contents = await Promise.all([issuer.issue(qr()), issuer.issue(qr())])
      expect(contents[0]?.content).not.toBe(contents[1]?.content)
    })

    test('a QR can be paid several times', async () => {
      const { issuer, network } = harness()
      const { content } = await issuer.issue(qr())
      for (let round = 0; round < 3; round++) {
        const read = await network.readQr(content, never)
        const networkRef = read.type === 'read' ? read.networkRef : ''
        const reference = newReference()
        const order = {
          reference,
          networkRef,
          content,
          amountMode: 'closed',
          amount: bob(10_000n),
          description: 'Pago QR',
        } as const
        expect(await network.pay(order)).toMatchObject({ type: 'paid' })
      }
    })
  })
}
