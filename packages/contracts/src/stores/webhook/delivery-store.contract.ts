import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'
import type { SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import { claimDeliveryTests } from './claim-delivery.contract.ts'
import { enqueueDeliveryTests } from './enqueue-delivery.contract.ts'
import { listDeliveriesTests } from './list-deliveries.contract.ts'
import { reactivateEndpointTests } from './reactivate-endpoint.contract.ts'
import { recordAttemptTests } from './record-attempt.contract.ts'
import { resendDeliveryTests } from './resend-delivery.contract.ts'
import { separateDeliveriesTests } from './separate-deliveries.contract.ts'

/** The contract of a `DeliveryStore` together with its `WebhookStore`. */
export function deliveryStoreContract(
  name: string,
  open: OpenHarness<SubscriberStores | 'events'>,
  { runs = 10 }: Runs = {},
): void {
  describe(`delivery store in ${name}`, () => {
    claimDeliveryTests(open)
    enqueueDeliveryTests(open)
    recordAttemptTests(open, Math.min(runs, 10))
    reactivateEndpointTests(open)
    resendDeliveryTests(open)
    listDeliveriesTests(open)
    separateDeliveriesTests(open)
  })
}
