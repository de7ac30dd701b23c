import { expect, test } from 'vitest'
import { runOpenLoop } from './open-loop.ts'

/** Time that advances only while the load waits. */
function steppedTime() {
  let nowMs = 0
  const now = (): number => nowMs
  const wait = async (ms: number): Promise<void> => {
    await new Promise(setImmediate)
    nowMs += ms
  }
  return { now, wait }
}

const tenASecond = { ratePerSecond: 10, seconds: 1, warmUpSeconds: 0 }

test('requests are sent at a constant rate, without waiting for responses', async () => {
  const time = steppedTime()
  const sentAt: number[] = []
  const answered = Promise.withResolvers<boolean>()
  const send = (): Promise<boolean> => {
    sentAt.push(time.now())
    if (sentAt.length === 10) answered.resolve(true)
    return answered.promise
  }

  const { latenciesMs } = await runOpenLoop({ ...tenASecond, send }, time)

  expect(sentAt).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
  // A stall of 900 ms delays each request that was due in it until its end.
  expect(latenciesMs).toEqual([900, 800, 700, 600, 500, 400, 300, 200, 100, 0])
})

test('a stall of the sending process counts as latency', async () => {
  const time = steppedTime()
  const stalling = { now: time.now, wait: () => time.wait(time.now() === 0 ? 450 : 50) }

  const { latenciesMs } = await runOpenLoop({ ...tenASecond, send: async () => true }, stalling)

  expect(latenciesMs).toEqual([0, 350, 250, 150, 50, 0, 0, 0, 0, 0])
})

test('an unexpected response is an error without a latency', async () => {
  const answers = [async () => true, async () => false, () => Promise.reject(new Error('refused'))]
  const send = (): Promise<boolean> => answers.shift()?.() ?? Promise.resolve(true)

  const { latenciesMs, errors } = await runOpenLoop({ ...tenASecond, send }, steppedTime())

  expect([latenciesMs.length, errors]).toEqual([8, 2])
})

test('requests of the warm-up are sent, and have no latency', async () => {
  let count = 0
  const send = async (): Promise<boolean> => ++count > 0
  const warmed = { ...tenASecond, warmUpSeconds: 0.5, send }

  const { latenciesMs } = await runOpenLoop(warmed, steppedTime())

  expect([count, latenciesMs.length]).toEqual([15, 10])
})
