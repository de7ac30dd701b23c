import type { RateLimitStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

const [debtMaxMs, forgottenAfterMs] = [2_000, 60_000]

export const memoryRateLimitStore = (database: Database): RateLimitStore => ({
  record: async (uses) => {
    const now = database.now().getTime()
    return uses.map(({ key, count, ageMs, perSecond }) => {
      const from = Math.max(database.rateUses.get(key) ?? 0, now - ageMs)
      const wholeAt = Math.min(from + (count / perSecond) * 1_000, now + debtMaxMs)
      database.rateUses.set(key, wholeAt)
      return (Math.max(0, wholeAt - now) * perSecond) / 1_000
    })
  },
  forget: async () => {
    const before = database.now().getTime() - forgottenAfterMs
    const whole = Array.from(database.rateUses).filter(([, wholeAt]) => wholeAt < before)
    for (const [key] of whole) database.rateUses.delete(key)
    return whole.length
  },
})
