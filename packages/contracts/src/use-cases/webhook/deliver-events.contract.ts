import { describe } from 'vitest'
import { managingWebhooksContract } from './manage-webhooks.contract.ts'
import { sendingContract } from './deliver-event.contract.ts'
import { testingContract } from './send-test-event.contract.ts'
import type { OpenHarness } from '../../fixtures/harness.ts'

/** Proves the delivery of events on a set of stores, to a receiver in the test’s hands. */
export function deliveringContract(name: string, open: OpenHarness): void {
  describe(`delivering on ${name}`, () => {
    sendingContract(open)
    managingWebhooksContract(open)
    testingContract(open)
  })
}
