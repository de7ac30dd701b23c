import { describe } from 'vitest'
import { manageWebhooksTests } from './manage-webhooks.contract.ts'
import { deliverEventTests } from './deliver-event.contract.ts'
import { sendTestEventTests } from './send-test-event.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves the delivery of events on a set of stores, to a receiver in the test’s hands. */
export function deliverEventsContract(name: string, open: OpenHarness): void {
  describe(`delivering on ${name}`, () => {
    deliverEventTests(open)
    manageWebhooksTests(open)
    sendTestEventTests(open)
  })
}
