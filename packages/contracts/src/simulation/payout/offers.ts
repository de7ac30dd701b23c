import { bob, type PayoutRequest, type Quote, usdt } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import type { Builders } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import type { Content, QuoteScenario, RequestScenario } from './scenario.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** A stored quote, and what a request for it may send. */
type Offer = { readonly quote: Quote; readonly contents: Readonly<Record<Content, string>> }

/** Stores a quote of the scenario, and issues the QRs for its requests. */
export async function newOffer(
  { issuer, network, stores }: SimulatedWorld,
  { ids, newQuote }: Builders,
  tenantId: string,
  quoted: QuoteScenario,
  index: number,
): Promise<Offer> {
  const target = bob(BigInt(10_000 + index))
  const issue = async (amount: typeof target | null) => {
    const amountMode = amount === null ? 'open' : 'closed'
    const { scenario } = quoted
    const qr = { amountMode, amount, merchantName: null, description: null, scenario } as const
    return (await issuer.issue(qr)).content
  }
  const right = await issue(quoted.isOpen ? null : target)
  const contents = { right, other_amount: await issue(bob(77n)), junk: 'not a QR' }
  const options = { source: usdt(quoted.source), target, lifeSeconds: quoted.lifeSeconds }
  if (!quoted.isResolved) return { quote: await newQuote(tenantId, options), contents }
  const read = await network.readQr(right, new AbortController().signal)
  if (read.type === 'refused_qr') throw new Error('the network has just issued this QR')
  const { type: _, ...says } = read
  const id = ids.next('qrr', someInstant)
  const resolution = { ...says, id, tenantId, contentHash: sha256(right), createdAt: someInstant }
  await stores.resolutions.insert(resolution, null)
  return { quote: await newQuote(tenantId, { ...options, resolutionId: id }), contents }
}

export function requestOf(scenario: RequestScenario, offers: readonly Offer[]): PayoutRequest {
  const offer = offers[scenario.quote]
  if (offer === undefined) throw new Error('no such quote')
  return {
    transactionId: `tx-${scenario.transaction}`,
    quoteId: offer.quote.id,
    content: offer.contents[scenario.content],
    description: null,
    fingerprint: `v1:${scenario.quote}:${scenario.content}`,
  }
}
