import { expect, test } from 'vitest'
import { sliceStart } from './run.ts'

test.each([
  ['2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T00:29:59.999Z', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T23:30:00.000Z', '2026-11-20T23:30:00.000Z'],
  ['2026-11-20T23:59:59.999Z', '2026-11-20T23:30:00.000Z'],
])('%s is in the slice that begins at %s', (at, start) => {
  expect(sliceStart(new Date(at)).toISOString()).toBe(start)
})
