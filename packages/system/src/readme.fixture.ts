import { bob, createQuote, type Stores, type Tenant, toDecimal } from '@quipu/core'
import { systemPorts } from '@quipu/system'

/** The price of BOB 100.00 at a fixed rate, in USDT. */
export async function priceOf100(stores: Stores, tenant: Tenant): Promise<string> {
  const system = systemPorts()
  const current = async () => ({ bid: 99_500n, source: 'fixed', observedAt: system.now() })
  const quote = createQuote({ ...stores, ...system, rates: { current } }, { lifeSeconds: 60 })
  const answer = await quote(tenant, { target: bob(100_00n), resolutionId: null })
  return answer.type === 'quote' ? toDecimal(answer.quote.source) : answer.code
}
