import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { steppedClock } from '../../test/harness/clock.fixture.ts'
import { type WaitingRequest, waitingRequests } from './waiting-requests.ts'

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Requests with a deadline of 20 s, on a clock that the test steps. */
function setup() {
  const clock = steppedClock()
  const expired: WaitingRequest[] = []
  const requests = waitingRequests(clock, 20_000, (waiting) => {
    expired.push(waiting)
    requests.remove(waiting)
  })
  return {
    requests,
    expired,
    add: () => requests.add({} as Request, {} as Response, () => undefined),
    async step(ms: number) {
      clock.step(ms)
      await macrotask()
      await macrotask()
    },
  }
}

test('each request expires 20 s after its arrival, and a removed one never', async () => {
  const { requests, expired, add, step } = setup()
  const first = add()
  await step(5_000)
  const [removed, last] = [add(), add()]
  requests.remove(removed)
  await step(14_999)
  expect(expired).toEqual([])
  await step(1)
  expect(expired).toEqual([first])
  await step(5_000)
  expect(expired).toEqual([first, last])
})

test('a pause moves the deadline, so that a later request can expire first', async () => {
  const { requests, expired, add, step } = setup()
  const paused = add()
  requests.pause(paused)
  await step(3_000)
  const later = add()
  await step(4_000)
  expect(requests.leftMs(paused)).toBe(20_000)
  requests.resume(paused)
  await step(16_000)
  expect(expired).toEqual([later])
  expect(requests.leftMs(paused)).toBe(4_000)
  await step(4_000)
  expect(expired).toEqual([later, paused])
})
