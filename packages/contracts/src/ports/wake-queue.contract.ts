import { describe, expect, test } from 'vitest'
import { idSource } from '@quipu/core'
import type { WakeQueue, DeliveryRef, WakeMessage } from '@quipu/core/adapter'
import { someInstant } from '../fixtures/instants.ts'
import { type Resource, useResource } from '../fixtures/resource.ts'

/** An empty queue, for one test. */
export type WakeQueueHarness = Resource & { readonly queue: WakeQueue }

/** Called before each test. @param visibilitySeconds the time after which an unacknowledged message is delivered again */
export type OpenWakeQueue = (visibilitySeconds: number) => Promise<WakeQueueHarness>

/** The contract of a `WakeQueue` that works. Each adapter tests its own failures. */
export function wakeQueueContract(name: string, open: OpenWakeQueue): void {
  describe(`put and take on ${name}`, () => {
    transportContract(useResource(() => open(60), 'each'))
  })
  describe(`acknowledge on ${name}`, () => {
    acknowledgeContract(useResource(() => open(60), 'each'))
    redeliveryContract(useResource(() => open(1), 'each'))
  })
  describe(`waiting on ${name}`, () => {
    waitingContract(useResource(() => open(60), 'each'))
  })
}

type Addressed = DeliveryRef & { readonly group: string }

const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))

const addressed = (): Addressed => ({
  endpointId: ids.next('we', someInstant),
  eventId: ids.uuid(someInstant),
  group: ids.next('ten', someInstant),
})

const many = (count: number): readonly Addressed[] => Array.from({ length: count }, addressed)

const names = (refs: readonly DeliveryRef[]): readonly string[] =>
  refs.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`).toSorted()

const refs = (messages: readonly WakeMessage[]): readonly DeliveryRef[] => messages.map(({ ref }) => ref)

/** Takes until it has `count` messages. The test times out when the queue loses one. */
async function takeAll(queue: WakeQueue, count: number): Promise<readonly WakeMessage[]> {
  const taken: WakeMessage[] = []
  while (taken.length < count) taken.push(...(await queue.take(10, 5)))
  return taken
}

function transportContract(harness: () => WakeQueueHarness): void {
  test('a message has the two ids of its delivery and nothing else', async () => {
    const { queue } = harness()
    const [delivery] = many(1) as [Addressed]
    expect(await queue.put([delivery])).toEqual([])
    const { group: _, ...ref } = delivery
    expect(refs(await takeAll(queue, 1))).toEqual([ref])
  })

  test('103 deliveries of one put are all taken, each once', async () => {
    const { queue } = harness()
    const deliveries = many(103)
    expect(await queue.put(deliveries)).toEqual([])
    expect(names(refs(await takeAll(queue, 103)))).toEqual(names(deliveries))
    expect(await queue.take(10, 0)).toEqual([])
  })

  test('concurrent takers take each message once', async () => {
    const { queue } = harness()
    const deliveries = many(40)
    await queue.put(deliveries)
    const taken: DeliveryRef[] = []
    const taker = async (): Promise<void> => {
      while (taken.length < deliveries.length) taken.push(...refs(await queue.take(4, 1)))
    }
    await Promise.all([taker(), taker(), taker(), taker()])
    expect(names(taken)).toEqual(names(deliveries))
  })

  test('put accepts an empty list', async () => {
    const { queue } = harness()
    expect(await queue.put([])).toEqual([])
    expect(await queue.take(10, 0)).toEqual([])
  })

  test('take returns at most `limit` messages', async () => {
    const { queue } = harness()
    await queue.put(many(9))
    for (const limit of [1, 3]) {
      const { length } = await queue.take(limit, 5)
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThanOrEqual(limit)
    }
  })

  test.each([0, -1, 1.5, Number.NaN, Infinity])('take throws RangeError for a limit of %s', async (limit) => {
    await expect(harness().queue.take(limit, 0)).rejects.toThrow(RangeError)
  })

  test.each([-1, 0.5, Number.NaN, Infinity])('take throws RangeError for a wait of %s seconds', async (seconds) => {
    await expect(harness().queue.take(1, seconds)).rejects.toThrow(RangeError)
  })
}

function acknowledgeContract(harness: () => WakeQueueHarness): void {
  test('acknowledges many messages concurrently, and one twice', async () => {
    const { queue } = harness()
    await queue.put(many(35))
    const messages = await takeAll(queue, 35)
    await Promise.all(messages.map((message) => message.acknowledge()))
    await messages[0]?.acknowledge()
    expect(await queue.take(10, 0)).toEqual([])
  })
}

function redeliveryContract(harness: () => WakeQueueHarness): void {
  test('delivers an unacknowledged message again, and an acknowledged one not', async () => {
    const { queue } = harness()
    const deliveries = many(2)
    await queue.put(deliveries)
    const [done, left] = (await takeAll(queue, 2)) as [WakeMessage, WakeMessage]
    await done.acknowledge()
    for (let round = 0; round < 2; round++) expect(refs(await takeAll(queue, 1))).toEqual([left.ref])
  })

  test('acknowledging a redelivered message removes it', async () => {
    const { queue } = harness()
    const [old, next] = many(2) as [Addressed, Addressed]
    await queue.put([old])
    await takeAll(queue, 1)
    await (await takeAll(queue, 1))[0]?.acknowledge()
    // A message that was not removed would be redelivered before the second delivery of `next`.
    await queue.put([next])
    const seen = refs([...(await takeAll(queue, 1)), ...(await takeAll(queue, 1))])
    expect(names(seen)).toEqual(names([next, next]))
  })
}

function waitingContract(harness: () => WakeQueueHarness): void {
  test('a message ends a waiting take at once', async () => {
    const { queue } = harness()
    const waiting = queue.take(10, 20)
    const [delivery] = many(1) as [Addressed]
    await queue.put([delivery])
    expect(names(refs(await waiting))).toEqual(names([delivery]))
  }, 10_000)

  test('a waiting take ends empty when no message arrives', async () => {
    expect(await harness().queue.take(10, 1)).toEqual([])
  }, 10_000)

  test('an aborted take ends at once, empty', async () => {
    const { queue } = harness()
    const calling = new AbortController()
    const waiting = queue.take(10, 20, calling.signal)
    calling.abort()
    expect(await waiting).toEqual([])
  }, 10_000)

  test('a take that was aborted before it begins takes no message', async () => {
    const { queue } = harness()
    const deliveries = many(1)
    await queue.put(deliveries)
    expect(await queue.take(10, 20, AbortSignal.abort())).toEqual([])
    expect(names(refs(await takeAll(queue, 1)))).toEqual(names(deliveries))
  }, 10_000)
}
