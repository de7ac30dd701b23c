import { bob, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { bobAmount, rateText, readBob, readUsdt, signedUsdtAmount, usdtAmount } from './money.ts'

test.each([
  ['USDT', usdtAmount, ['0.000001', '10.203353', '1234567890.000000'], ['1.00', '1.0000000']],
  ['BOB', bobAmount, ['0.00', '100.00'], ['1', '1.0', '1.000']],
  ['a rate', rateText, ['9.8007', '10.0000'], ['9.8', '9.80070']],
])('spec §2: %s of an answer has all its fraction digits', (_, schema, amounts, others) => {
  for (const text of amounts) expect(schema.safeParse(text).success, text).toBe(true)
  const [amount = ''] = amounts
  const spellings = [`0${amount}`, `-${amount}`, ` ${amount}`, `${amount}\n`, amount.replace('.', ',')]
  for (const text of [...others, ...spellings]) expect(schema.safeParse(text).success, text).toBe(false)
})

test('only a signed amount of an answer may be negative', () => {
  for (const text of ['-0.500000', '0.500000', '-12.000000', '12.000000'])
    expect(signedUsdtAmount.safeParse(text).success, text).toBe(true)
  for (const text of ['--1.000000', '-01.000000', '-1.00', '-.500000', ' -1.000000', '-1.0000000'])
    expect(signedUsdtAmount.safeParse(text).success, text).toBe(false)
})

test('converts what its schema accepts, and throws for other text', () => {
  expect(readBob('100.5')).toEqual(bob(10_050n))
  expect(readUsdt('0.000001')).toEqual(usdt(1n))
  for (const text of ['', 'x', '1.234']) expect(() => readBob(text)).toThrow('no amount of BOB')
})
