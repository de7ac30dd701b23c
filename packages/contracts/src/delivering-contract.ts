import { describe } from 'vitest'
import { managingWebhooksContract } from './delivering/managing.ts'
import { sendingContract } from './delivering/sending.ts'
import { testingContract } from './delivering/testing.ts'
import type { OpenHarness } from './harness.ts'

/** Proves the delivery of events on a set of stores, to a receiver in the test’s hands. */
export function deliveringContract(name: string, open: OpenHarness): void {
  describe(`delivering on ${name}`, () => {
    sendingContract(open)
    managingWebhooksContract(open)
    testingContract(open)
  })
}
