import { describe } from 'vitest'
import { claimingContract } from './claim-delivery.contract.ts'
import { handingOutContract } from './enqueue-delivery.contract.ts'
import { reactivatingContract } from './reactivate-endpoint.contract.ts'
import { readingContract } from './list-deliveries.contract.ts'
import { recordingContract } from './record-attempt.contract.ts'
import { resendingContract } from './resend-delivery.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

/** What every `DeliveryStore` must do, together with its `WebhookStore`, as tests. */
export function deliveryStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 10 }: Runs = {},
): void {
  describe(`delivery store in ${name}`, () => {
    claimingContract(open)
    handingOutContract(open)
    recordingContract(open, Math.min(runs, 10))
    reactivatingContract(open)
    resendingContract(open)
    readingContract(open)
  })
}
