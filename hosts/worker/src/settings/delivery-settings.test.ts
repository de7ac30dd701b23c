import { BadSettings, readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { deliverySettings } from './delivery-settings.ts'

const read = (env: Record<string, string>) => readSettings(z.object(deliverySettings), env)

test('spec §8: by default there are 8 attempts, at most 1 h apart', () => {
  expect(read({})).toMatchObject({
    WEBHOOK_DELIVERY: 'on',
    WEBHOOK_ATTEMPTS: 8,
    WEBHOOK_MAX_DELAY_SECONDS: 3_600,
  })
})

test.each([
  ['WEBHOOK_DELIVERY', 'pause'],
  ['WEBHOOK_ATTEMPTS', '0'],
  ['WEBHOOK_MAX_DELAY_SECONDS', '29'],
])('%s=%j is refused', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(BadSettings)
  expect(() => read({ [name]: value })).toThrow(`${name}: must be`)
})
