import { expect, test } from 'vitest'
import { onceChecked } from './once-checked.ts'

test('concurrent calls share a check, which is repeated after a failure and never after it passed', async () => {
  const outcomes = [() => Promise.reject(new Error('not yet')), () => Promise.resolve()]
  let checks = 0
  const checked = onceChecked(() => (outcomes[checks++] ?? (() => Promise.resolve()))())
  const together = await Promise.allSettled([checked(), checked()])
  expect([checks, together.map(({ status }) => status)]).toEqual([1, ['rejected', 'rejected']])
  await Promise.all([checked(), checked()])
  await checked()
  expect(checks).toBe(2)
})
