import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NetworkCapabilities, Unavailable } from '@quipu/core'
import { anySandboxQrRequest } from '../fixtures/payout/payout-arbitraries.ts'
import { never, ordering, qr, type QrNetworkHarness } from './payment-orders.ts'

/** Proves how a network reads QRs. */
export function qrNetworkReadingContract(
  harness: () => QrNetworkHarness,
  { isReadingSingleUse }: NetworkCapabilities,
): void {
  test('a closed QR has an amount, an open one has none', async () => {
    const { network, issuer } = harness()
    for (const request of [qr(), qr({ amountMode: 'open', amount: null })]) {
      const issued = await issuer.issue(request)
      const read = await network.readQr(issued.content, never)
      expect(read).toMatchObject({
        type: 'read',
        amountMode: request.amountMode,
        amount: request.amount,
        merchant: issued.merchant,
        description: issued.description,
      })
      expect(read.type === 'read' && read.networkRef).toMatch(/./)
    }
  })

  test('reads every QR as issued', async () => {
    const { network, issuer } = harness()
    await fc.assert(
      fc.asyncProperty(anySandboxQrRequest, async (request) => {
        const { content, scenario: _, ...issued } = await issuer.issue(request)
        expect(await network.readQr(content, never)).toMatchObject({ type: 'read', ...issued })
      }),
      { numRuns: 25 },
    )
  })

  test('refuses contents that are not QRs of this network', async () => {
    const { network, issuer } = harness()
    const { content } = await issuer.issue(qr())
    for (const junk of ['x', ' ', 'hello|world', content.slice(1), `${content}0`, '💸'.repeat(250)]) {
      expect(await network.readQr(junk, never)).toMatchObject({ type: 'refused_qr' })
    }
  })

  test('an aborted read throws Unavailable', async () => {
    const { network, issuer } = harness()
    const { content } = await issuer.issue(qr())
    const asked = network.readQr(content, AbortSignal.abort())
    await expect(asked).rejects.toThrow(Unavailable)
  })

  test(`a reading serves ${isReadingSingleUse ? 'one order: the next one takes another' : 'several orders'}`, async () => {
    const h = harness()
    const { network } = h
    const first = await ordering(h, { amountMode: 'open', amount: null })
    expect(await network.pay(first)).toMatchObject({ type: 'paid' })
    const again = isReadingSingleUse ? await network.readQr(first.content, never) : { networkRef: first.networkRef }
    if (!('networkRef' in again)) throw new Error('the QR is refused')
    expect(again.networkRef === first.networkRef).toBe(!isReadingSingleUse)
    const second = { ...(await ordering(h, { amountMode: 'open', amount: null })), content: first.content }
    expect(await network.pay({ ...second, networkRef: again.networkRef })).toMatchObject({ type: 'paid' })
  })
}
