import type { EventRecord, Payout, Quote, Tenant, Usdt } from '@quipu/core'
import type { World } from './harness.ts'
import { rig, type Rig } from './rig.ts'
import { eventsAbout } from './events-about.ts'

/** A rig with one funded tenant and one quote of it, and what can be seen of them. */
export type Desk = Rig & {
  readonly tenant: Tenant
  readonly quote: Quote
  /** What the quote costs, in micro-USDT. */
  readonly source: bigint
  has(): Promise<{ available: bigint | undefined; held: bigint | undefined }>
  /** The events about a payout, oldest first. */
  told(payoutId: string): Promise<readonly EventRecord['type'][]>
  /** The payout of the quote’s request as it now stands. */
  now(): Promise<Payout | undefined>
}

export async function desk(world: World, available: Usdt): Promise<Desk> {
  const tenantId = await world.newWallet(available)
  const tenant = await world.tenants.find(tenantId)
  if (!tenant) throw new Error('the tenant was just created')
  const quote = await world.newQuote(tenantId)
  const tools = rig(world)
  const { transactionId } = tools.request(quote)
  return {
    ...tools,
    tenant,
    quote,
    source: quote.source.minor,
    has: async () => {
      const wallet = await world.wallets.find(tenantId)
      return { available: wallet?.available.minor, held: wallet?.held.minor }
    },
    told: async (id) => (await eventsAbout(world, tenantId, id)).map(({ type }) => type),
    now: async () => (await world.payouts.find(tenantId, transactionId))?.payout,
  }
}
