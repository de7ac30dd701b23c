import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { isLost } from './database-error.ts'

test('a connect time-out does not count as a lost connection', () => {
  expect(isLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isLost(new Unavailable('store', 'timeout expired'))).toBe(false)
})
