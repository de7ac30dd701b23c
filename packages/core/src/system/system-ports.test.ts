import { expect, test } from 'vitest'
import { systemPorts } from './system-ports.ts'

test('the ports measure, wait and draw as the process does', async () => {
  const { now, monotonic, timer, ids, random } = systemPorts()
  const [before, startedAt] = [Date.now(), monotonic()]
  await timer(1).done
  expect(now().getTime()).toBeGreaterThanOrEqual(before)
  expect(monotonic()).toBeGreaterThan(startedAt)
  expect(random(7)).toHaveLength(7)
  expect(ids.next('po', now())).toMatch(/^po_\w{26}$/)
  expect(ids.uuid(now())).not.toBe(ids.uuid(now()))
})

test('settled waits for background work, whose error is reported', async () => {
  const errors: unknown[] = []
  const { inBackground, settled } = systemPorts({ onError: (error) => errors.push(error) })
  const work = Promise.withResolvers<void>()
  const later = Promise.withResolvers<void>()
  inBackground(work.promise.then(() => inBackground(later.promise)))
  inBackground(Promise.reject(new Error('no answer')))
  expect(await settled(0)).toBe(false)
  work.resolve()
  expect(await settled(1)).toBe(false)
  later.resolve()
  expect(await settled(60_000)).toBe(true)
  expect(errors).toEqual([new Error('no answer')])
})

test('each call has its own background work', async () => {
  const [one, other] = [systemPorts(), systemPorts()]
  one.inBackground(new Promise(() => undefined))
  expect(await other.settled(60_000)).toBe(true)
})
