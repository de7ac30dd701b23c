import { describe } from 'vitest'
import { claimingContract } from './delivery-store/claiming.ts'
import { handingOutContract } from './delivery-store/handing-out.ts'
import { reactivatingContract } from './delivery-store/reactivating.ts'
import { readingContract } from './delivery-store/reading.ts'
import { recordingContract } from './delivery-store/recording.ts'
import { resendingContract } from './delivery-store/resending.ts'
import type { OpenHarness } from './harness.ts'
import type { Runs } from './runs.ts'

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
