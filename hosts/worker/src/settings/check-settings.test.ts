import { bob } from '@quipu/core'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { checkSettings, liquidityIssues } from './check-settings.ts'

const floorOf = (NETWORK_LIQUIDITY_FLOOR_BOB?: string) =>
  z.object(checkSettings).safeParse({ NETWORK_LIQUIDITY_FLOOR_BOB }).data?.NETWORK_LIQUIDITY_FLOOR_BOB

test('the floor of liquidity is an amount of BOB, or off', () => {
  expect(floorOf('50000.00')).toEqual(bob(50_000_00n))
  expect(floorOf('off')).toBe('off')
  const texts = ['0', '0.00', '-1', '1.001', 'none', '']
  expect(texts.map(floorOf)).toEqual(texts.map(() => undefined))
})

test.each([
  [{ ENVIRONMENT: 'production' }, 1],
  [{ ENVIRONMENT: 'production', NETWORK_LIQUIDITY_FLOOR_BOB: 'off' }, 0],
  [{ ENVIRONMENT: 'production', NETWORK_LIQUIDITY_FLOOR_BOB: bob(1n) }, 0],
  [{ ENVIRONMENT: 'sandbox' }, 0],
])('production requires a floor or its absence: %#', (settings, issues) => {
  expect(liquidityIssues(settings)).toHaveLength(issues)
})
