import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { depositRulesOf } from './settle-loop.ts'

test('each rule of crediting comes from its own setting', () => {
  const rules = depositRulesOf({
    DEPOSIT_MINIMUM: usdt(1n),
    DEPOSIT_DUST: usdt(6n),
    DEPOSIT_AUTO_LIMIT: usdt(2n),
    DEPOSIT_VERIFY_FROM: usdt(3n),
    DEPOSIT_UNVERIFIED_TENANT_LIMIT: usdt(4n),
    DEPOSIT_UNVERIFIED_TOTAL_LIMIT: usdt(5n),
  })
  expect(rules).toEqual({
    minimum: usdt(1n),
    dust: usdt(6n),
    autoLimit: usdt(2n),
    verifyFrom: usdt(3n),
    unverifiedLimits: { perTenant: usdt(4n), inAll: usdt(5n) },
  })
})
