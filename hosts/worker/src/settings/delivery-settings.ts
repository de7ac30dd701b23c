import { attemptTimeoutSeconds, failingAlertSeconds } from '@quipu/core/adapter'
import { whole } from '@quipu/runtime'
import { z } from 'zod'

/** How the worker delivers webhooks. */
export const deliverySettings = {
  WEBHOOK_DELIVERY: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe('While it is off events queue; turning it on sends them.'),
  WEBHOOK_CONCURRENCY: whole(2, 10_000)
    .default(600)
    .describe('Deliveries that this process sends concurrently; a third is reserved for slow receivers.'),
  WEBHOOK_PER_ENDPOINT: whole(1, 1_000)
    .default(8)
    .describe('Deliveries to one endpoint that are sent concurrently, in all processes.'),
  WEBHOOK_PER_TENANT: whole(1, 16_000)
    .default(32)
    .describe(
      'Deliveries of one tenant that are sent concurrently, in all processes; those to slow receivers are counted apart.',
    ),
  WEBHOOK_CATCH_UP_PER_SECOND: whole(1, 1_000_000)
    .default(50)
    .describe('Deliveries a second to an endpoint that is catching up after a pause.'),
  WEBHOOK_IDLE_MS: whole(5, 60_000).default(20).describe('Pause in milliseconds when no delivery is due.'),
  WEBHOOK_ALERT_SECONDS: whole(0, 86_400)
    .default(failingAlertSeconds)
    .describe('After this time without a successful attempt at an endpoint an alert is raised.'),
  WEBHOOK_LEASE_SECONDS: whole(3, 3_600)
    .default(30)
    .describe(
      `How long a delivery stays leased to a worker that has stopped responding. A receiver may take ${attemptTimeoutSeconds} s; when an attempt outlasts the lease, the event is sent again.`,
    ),
}
