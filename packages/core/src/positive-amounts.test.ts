import { expect, test } from 'vitest'
import { postTransfer, transferLegs, type TransferType } from './ledger/ledger.ts'
import { bob, usdt } from './money.ts'
import { openPayout } from './payout/open-payout.ts'

const open = (source: bigint, target: bigint) =>
  openPayout({ target: bob(target) } as never, { quote: { source: usdt(source) } } as never)

test.each([0n, -1n])('no transfer and no payout of %s minor units', (minor) => {
  const wallet = { available: usdt(9n), held: usdt(9n) }
  for (const type of Object.keys(transferLegs) as TransferType[])
    expect(() => postTransfer(wallet, { type, amount: usdt(minor) }), type).toThrow('postTransfer: expected an amount')
  expect(() => open(minor, 1n)).toThrow(`expected an amount above 0, got ${minor} minor units of USDT`)
  expect(() => open(1n, minor)).toThrow(`expected an amount above 0, got ${minor} minor units of BOB`)
  expect(open(1n, 1n).transfer).toEqual({ type: 'hold', amount: usdt(1n) })
})
