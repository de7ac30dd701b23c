import { BadSettings, readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { deliverySettings } from './delivery-settings.ts'

const read = (env: Record<string, string>) => readSettings(z.object(deliverySettings), env)

test.each([['WEBHOOK_DELIVERY', 'pause']])('%s=%j is refused', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(BadSettings)
  expect(() => read({ [name]: value })).toThrow(`${name}: must be`)
})
