import { describe } from 'vitest'
import { claimDeliveryTests } from './claim-delivery.contract.ts'
import { enqueueDeliveryTests } from './enqueue-delivery.contract.ts'
import { reactivateEndpointTests } from './reactivate-endpoint.contract.ts'
import { listDeliveriesTests } from './list-deliveries.contract.ts'
import { recordAttemptTests } from './record-attempt.contract.ts'
import { resendDeliveryTests } from './resend-delivery.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** What every `DeliveryStore` must do, together with its `WebhookStore`, as tests. */
export function deliveryStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 10 }: Runs = {},
): void {
  describe(`delivery store in ${name}`, () => {
    claimDeliveryTests(open)
    enqueueDeliveryTests(open)
    recordAttemptTests(open, Math.min(runs, 10))
    reactivateEndpointTests(open)
    resendDeliveryTests(open)
    listDeliveriesTests(open)
  })
}
