import { expect, test } from 'vitest'
import { digestDay } from './send-alerts.ts'

test.each([
  ['2026-11-20T11:59:59.999Z', 8, 'America/La_Paz', '2026-11-19'],
  ['2026-11-20T12:00:00.000Z', 8, 'America/La_Paz', '2026-11-20'],
  ['2026-11-20T23:59:59.999Z', 0, 'UTC', '2026-11-20'],
  ['2026-11-20T22:59:59.999Z', 23, 'UTC', '2026-11-19'],
  ['2026-11-20T23:00:00.000Z', 23, 'UTC', '2026-11-20'],
] as const)('at %s the digest of hour %i in %s is that of %s', (now, hour, timezone, day) => {
  expect(digestDay(new Date(now), { hour, timezone })).toBe(day)
})
