import { setTimeout } from 'node:timers/promises'
import { type Timer, Unavailable } from '@quipu/core'
import type { DeliveryRef } from '@quipu/core/adapter'
import { wakeQueueContract } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { memoryWakeQueue } from './wake-queue.ts'

const realTimer: Timer = (ms) => {
  const cancelled = new AbortController()
  const done = setTimeout(ms, undefined, { signal: cancelled.signal }).catch(() => new Promise<void>(() => {}))
  return { done, cancel: () => cancelled.abort() }
}

/** A timer that ends when the test calls `expire`. */
function manualTimer(): { timer: Timer; expire: () => void; count: () => number } {
  const waiting = new Set<() => void>()
  const timer: Timer = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    return { done: promise, cancel: () => void waiting.delete(resolve) }
  }
  const expire = (): void => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  return { timer, expire, count: () => waiting.size }
}

wakeQueueContract('the queue in memory', async (visibilitySeconds) => {
  const queue = memoryWakeQueue({ timer: realTimer, visibilitySeconds })
  return { queue, close: queue.stop }
})

const delivery = (eventId: string): DeliveryRef & { group: string } => ({ endpointId: 'we_1', eventId, group: 'ten_1' })

test('put returns the messages above the capacity, which unacknowledged messages count towards', async () => {
  const { timer } = manualTimer()
  const queue = memoryWakeQueue({ timer, capacity: 2 })
  const third = { endpointId: 'we_1', eventId: '3' }
  expect(await queue.put(['1', '2', '3'].map(delivery))).toEqual([third])
  const [first] = await queue.take(1, 0)
  expect(await queue.put([delivery('3')])).toEqual([third])
  await first?.acknowledge()
  expect(await queue.put([delivery('3')])).toEqual([])
})

test('no timer is left after every message is acknowledged', async () => {
  const { timer, count } = manualTimer()
  const queue = memoryWakeQueue({ timer })
  await queue.put(['1', '2'].map(delivery))
  const messages = await queue.take(10, 20)
  expect(count()).toBe(1)
  for (const message of messages) await message.acknowledge()
  expect(count()).toBe(0)
})

test('a message that is acknowledged after its timeout is not delivered a third time', async () => {
  const { timer, expire } = manualTimer()
  const queue = memoryWakeQueue({ timer })
  await queue.put([delivery('1')])
  const [late] = await queue.take(1, 0)
  expire()
  const [again] = await queue.take(1, 20)
  expect(again?.ref).toEqual(late?.ref)
  await late?.acknowledge()
  expire()
  expect(await queue.take(1, 0)).toEqual([])
})

test('the same delivery put twice is two messages', async () => {
  const queue = memoryWakeQueue({ timer: manualTimer().timer })
  await queue.put([delivery('1'), delivery('1')])
  expect(await queue.take(10, 0)).toHaveLength(2)
})

test('stop rejects waiting calls and leaves no timer', async () => {
  const { timer, count } = manualTimer()
  const queue = memoryWakeQueue({ timer })
  await queue.put([delivery('1')])
  const [message] = await queue.take(1, 0)
  const waiting = queue.take(1, 20)
  await queue.stop()
  await expect(waiting).rejects.toThrow(Unavailable)
  await expect(queue.take(1, 0)).rejects.toThrow(Unavailable)
  await expect(queue.put([])).rejects.toThrow(Unavailable)
  await expect(message?.acknowledge()).rejects.toThrow(Unavailable)
  expect(count()).toBe(0)
})
