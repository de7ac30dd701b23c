import { bob, type PayoutAnswer, type PayoutRequest, type Quote } from '@quipu/core'
import { sandboxScenarios } from '@quipu/core/adapter'
import { answered, type Fleet } from '../process/fleet.ts'
import type { Api } from '../process/processes.ts'
import type { Details } from '../scenario/scenario.ts'
import type { TenantOfWorld } from '../world/tenants.ts'
import type { World } from '../world/world.ts'

/** The requests and answers of clients. */
export type PaymentRecord = {
  readonly offers: Map<string, Promise<Offer | undefined>>
  /** Every request that was sent, by tenant and `transaction_id`. */
  readonly requests: { readonly tenant: TenantOfWorld; readonly request: PayoutRequest }[]
  onAnswer: (tenant: TenantOfWorld, request: PayoutRequest, answer: PayoutAnswer) => void
}

type Offer = { readonly quote: Quote; readonly contents: Readonly<Record<Content, string>> }

const contentKinds = ['right', 'other_amount', 'junk'] as const
type Content = (typeof contentKinds)[number]

const slots = 3

/** A client accepts a quote and pays. Few slots, so that requests repeat and compete. */
export async function pay(world: World, fleet: Fleet, record: PaymentRecord, details: Details): Promise<void> {
  const tenant = details.pick(world.tenants)
  const slot = details.nat(slots - 1)
  const quoted = details.chance(0.2) ? details.nat(slots - 1) : slot
  const content = details.chance(0.88) ? 'right' : details.pick(contentKinds)
  const key = `${tenant.id} ${quoted}`
  const offer = record.offers.get(key) ?? newOffer(world, fleet, tenant, details)
  record.offers.set(key, offer)
  const { quote, contents } = (await offer) ?? {}
  if (quote === undefined || contents === undefined) {
    record.offers.delete(key)
    return
  }
  const request: PayoutRequest = {
    transactionId: `tx-${slot}`,
    quoteId: quote.id,
    content: contents[content],
    description: null,
    fingerprint: `v1:${quote.id}:${content}`,
  }
  record.requests.push({ tenant, request })
  const times = details.chance(0.15) ? 2 : 1 // A message that arrives twice.
  await Promise.all(Array.from({ length: times }, () => submit(world, fleet, record, { tenant, request })))
}

/** Sends the request until it is answered. */
export async function submit(
  world: World,
  fleet: Fleet,
  record: PaymentRecord,
  { tenant, request }: PaymentRecord['requests'][number],
): Promise<void> {
  const answer = await answered(world, fleet, (api) => create(api, tenant, request))
  if (answer !== undefined) record.onAnswer(tenant, request, answer)
}

async function create({ useCases }: Api, tenant: TenantOfWorld, request: PayoutRequest): Promise<PayoutAnswer> {
  const access = await useCases.tenancy.authenticate(tenant.key.text)
  if (access === undefined) return { type: 'refused', code: 'AUTHENTICATION_FAILED', payoutId: null }
  const { tenant: known, key } = access.caller
  return useCases.paying.createPayout(known, { ...request, keyId: key.id })
}

async function newOffer(
  world: World,
  fleet: Fleet,
  tenant: TenantOfWorld,
  details: Details,
): Promise<Offer | undefined> {
  const target = bob(BigInt(500 + details.nat(4_000)))
  const scenario = details.chance(0.4) ? 'paid' : details.pick(sandboxScenarios)
  const amount = details.chance(0.3) ? null : target
  const isResolved = details.chance(0.5)
  const issue = async (amount: typeof target | null): Promise<string> => {
    const qr = { merchantName: null, description: null, scenario }
    const amountMode = amount === null ? 'open' : 'closed'
    return (await world.qrNetwork.issue({ ...qr, amountMode, amount })).content
  }
  const contents = { right: await issue(amount), other_amount: await issue(bob(77n)), junk: 'no QR' }
  const quote = await answered(world, fleet, async ({ useCases }) => {
    const access = await useCases.tenancy.authenticate(tenant.key.text)
    if (access === undefined) return undefined
    const { tenant: known } = access.caller
    const resolved = isResolved ? await useCases.paying.resolveQr(known, { content: contents.right }) : null
    const resolutionId = resolved?.type === 'resolution' ? resolved.resolution.id : null
    const answer = await useCases.paying.createQuote(known, { target, resolutionId })
    return answer.type === 'quote' ? answer.quote : undefined
  })
  return quote && { quote, contents }
}
