import { readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { AppSettings } from '../settings/settings.ts'
import { payoutSettings } from './paying-module.ts'

const settingsOf = (env: Readonly<Record<string, string>>) =>
  payoutSettings(readSettings(AppSettings, env))

test.each(['3', '15', '300'])('a lease of %s s outlives two renewals', (LEASE_SECONDS) => {
  const { leaseSeconds, renewEveryMs } = settingsOf({ LEASE_SECONDS })
  expect(leaseSeconds).toBe(Number(LEASE_SECONDS))
  expect(2 * renewEveryMs).toBeLessThan(leaseSeconds * 1000)
})

test.each(['1000', '22000', '60000'])(
  'of %s ms for an answer a payout leaves a part for its last write',
  (ANSWER_WITHIN_MS) => {
    const { answerWithinMs } = settingsOf({ ANSWER_WITHIN_MS })
    expect(answerWithinMs).toBeLessThan(Number(ANSWER_WITHIN_MS))
  },
)
