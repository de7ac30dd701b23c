import { type Timer, Unavailable } from '@quipu/core'
import type { ServiceProcess } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { heartbeats, thisProcess } from './heartbeats.ts'

/** Each pause ends when the test steps. */
function steps(): { readonly timer: Timer; readonly step: () => Promise<void> } {
  let end = (): void => undefined
  const timer: Timer = () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    end = resolve
    return { done, cancel: () => undefined }
  }
  return {
    timer,
    step: async () => {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

function recorded(beat: () => Promise<void> = async () => undefined) {
  const [beats, ends, errors]: [ServiceProcess[], string[], unknown[]] = [[], [], []]
  const processes = {
    beat: (process: ServiceProcess) => {
      beats.push(process)
      return beat()
    },
    end: async (id: string) => void ends.push(id),
  }
  return { beats, ends, errors, processes, report: (error: unknown) => void errors.push(error) }
}

test('a process records itself again and again, and no more after its stop', async () => {
  const { beats, ends, processes, report } = recorded()
  const { timer, step } = steps()
  const process = thisProcess('worker')
  let aheadMs = 0.4
  const loop = heartbeats({ processes, aheadMs: () => aheadMs, timer, report }, process)
  await step()
  aheadMs = -61_000.6
  await step()
  expect(beats.slice(0, 1)).toEqual([{ ...process, aheadMs: 0 }])
  expect(beats.at(-1)).toEqual({ ...process, aheadMs: -61_001 })
  await loop.stop()
  const { length } = beats
  await step()
  expect([beats.length, ends]).toEqual([length, [process.id]])
})

test('an unavailable store stops no heartbeat and is not reported; another error is', async () => {
  const failures = [new Unavailable('store', 'gone'), new Error('a bug')]
  const { beats, errors, processes, report } = recorded(async () => {
    const failure = failures[beats.length - 1]
    if (failure) throw failure
  })
  const { timer, step } = steps()
  const ports = { processes, aheadMs: () => 0, timer, report }
  const loop = heartbeats(ports, thisProcess('api'))
  await step()
  await step()
  await step()
  expect(errors).toEqual([failures[1]])
  expect(beats.length).toBeGreaterThan(2)
  await loop.stop()
})
