import { describe, test } from 'vitest'
import { until } from '../harness/process.fixture.ts'
import { openSqsHarness } from '../harness/sqs-harness.fixture.ts'
import type { TestSqs } from '../harness/sqs.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import type { WebhookHarness } from '../harness/webhook-harness.fixture.ts'

/** Waits until a message passes through the queue. Duplicates all messages, in order to count them. */
const untilMessagesPass = async (
  { proxy }: TestSqs,
  harness: WebhookHarness,
  emitEvents: () => Promise<unknown>,
): Promise<void> => {
  const before = proxy.counts().duplicated
  proxy.duplicate(1_000)
  await until('a message is sent through the queue', async () => {
    await emitEvents()
    await harness.receiver.untilArrived(1)
    return proxy.counts().duplicated > before
  })
}

/** Outlasts every attempt, however slow the machine: an event whose lease ends during its attempt is sent again. */
const longLease = { WEBHOOK_LEASE_SECONDS: '60' }

describe.concurrent('webhooks over SQS', () => {
  test('lost, duplicated and reordered messages: two workers send each event once', async ({ expect }) => {
    await using harness = await openSqsHarness(longLease)
    const { api, sqs } = harness
    sqs.proxy.drop(3)
    sqs.proxy.duplicate(8)
    sqs.proxy.reorder()
    await Promise.all([harness.startWorker(), harness.startWorker()])

    await harness.emitEvents(api, 32)
    await until('every fault has met a message', async () => {
      const { dropped, duplicated } = sqs.proxy.counts()
      if (dropped === 3 && duplicated === 8) return true
      await harness.emitEvents(api, 1) // A busy worker sends few messages, each for many events.
      return false
    })

    expect(new Set(await expectAllDelivered(expect, harness))).toEqual(new Set([1]))
  })

  test('events arrive during an SQS outage, also at the start and when its answers are lost, and go through SQS again afterwards', async ({
    expect,
  }) => {
    await using harness = await openSqsHarness()
    const { api, sqs } = harness
    await sqs.proxy.down()
    await harness.startWorker()
    await harness.emitEvents(api, 5)
    await harness.receiver.untilArrived(5)
    await sqs.proxy.up()
    sqs.proxy.loseAnswers(4)
    await untilMessagesPass(sqs, harness, () => harness.emitEvents(api, 1))

    await sqs.proxy.down()
    const before = harness.receiver.arrivals.size
    await harness.emitEvents(api, 20)
    await harness.receiver.untilArrived(before + 20)

    await sqs.proxy.up()
    await untilMessagesPass(sqs, harness, () => harness.emitEvents(api, 1))
    await expectAllDelivered(expect, harness)
  })
})
