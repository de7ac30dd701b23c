import {
  createPayout,
  type CreatePayoutPorts,
  defaultPayoutSettings,
  type PayoutRequest,
  type Tenant,
} from '@quipu/core'

/** Pays orders, with the stores of `@quipu/memory`, `@quipu/postgres` or your own. */
export function payments(ports: CreatePayoutPorts) {
  const pay = createPayout(ports, defaultPayoutSettings)
  return async (tenant: Tenant, request: PayoutRequest): Promise<string> => {
    const answer = await pay(tenant, request) // throws `Unavailable`: the same request is safe
    return answer.type === 'refused' ? answer.code : answer.payout.status
  }
}
