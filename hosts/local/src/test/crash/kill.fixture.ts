import type { NetworkHarness } from '../harness/payout-harness.fixture.ts'
import type { Order, Tenant } from '../harness/tenant.fixture.ts'

/** Sends the payment to an API that is about to be killed. @returns whether it was answered */
export const payUnanswered = (tenant: Tenant, order: Order): Promise<boolean> =>
  tenant.pay(order).then(
    () => true,
    () => false,
  )

/** Starts a worker and a new API. */
export const restart = async (harness: NetworkHarness<unknown>): Promise<Tenant> => {
  await harness.openWorker()
  return harness.openApi()
}
