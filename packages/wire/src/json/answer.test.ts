import { expect, test } from 'vitest'
import { time } from './answer.ts'

test('spec §2: an instant of an answer is UTC with milliseconds and Z, in one spelling', () => {
  const at = '2026-11-20T15:04:05.006Z'
  expect(time.safeParse(at).success).toBe(true)
  for (const text of [
    '2026-11-20T15:04:05Z',
    '2026-11-20T15:04:05.006',
    '2026-11-20T15:04:05.006+00:00',
    '2026-11-20T15:04:05.0061Z',
    '26-11-20T15:04:05.006Z',
    '2026-1-20T15:04:05.006Z',
    '2026-11-2T15:04:05.006Z',
    '2026-11-20T5:04:05.006Z',
    '2026-11-20T15:4:05.006Z',
    '2026-11-20T15:04:5.006Z',
    '2026-11-20T15:04:05.6Z',
    ` ${at}`,
    `${at}\n`,
  ])
    expect(time.safeParse(text).success, text).toBe(false)
})
