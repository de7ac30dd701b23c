import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { SubscriberStores } from '../../fixtures/webhook/subscriber.ts'
import { deliverEventTests } from './deliver-event.contract.ts'
import { manageWebhooksTests } from './manage-webhooks.contract.ts'
import { sendTestEventTests } from './send-test-event.contract.ts'

/** Proves the delivery of events on a set of stores, to a scripted receiver. */
export function deliverEventsContract(name: string, open: OpenHarness<SubscriberStores | 'events'>): void {
  describe(`delivering on ${name}`, () => {
    deliverEventTests(open)
    manageWebhooksTests(open)
    sendTestEventTests(open)
  })
}
