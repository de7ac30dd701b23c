import { usdt } from '@quipu/core'
import type { TransferOrder } from '@quipu/core/adapter'
import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { expect, test } from 'vitest'
import { buildTransfer } from './build-transfer.ts'

const { transactionBuilder } = new TronWeb({ fullHost: 'http://offline.invalid' })

/** The transaction that tronweb builds, from the same members. */
async function byTronWeb(contract: string, from: string, order: TransferOrder) {
  const blockHeader = {
    ref_block_bytes: order.reference.number.toString(16).padStart(4, '0').slice(-4),
    ref_block_hash: order.reference.id.slice(16, 32),
    expiration: order.expiresAt.getTime(),
    timestamp: order.at.getTime(),
  }
  const { transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    'transfer(address,uint256)',
    { txLocal: true, blockHeader, feeLimit: Number(order.feeLimit) },
    [
      { type: 'address', value: `41${order.to}` },
      { type: 'uint256', value: order.amount.minor.toString() },
    ],
    from,
  )
  return transaction
}

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((drawn) => Buffer.from(drawn).toString('hex'))
const account = fc.oneof(hex(20), fc.constantFrom('0'.repeat(40), 'f'.repeat(40)))
const instant = fc.date({ min: new Date(1), max: new Date('2262-01-01'), noInvalidDate: true })
const orders: fc.Arbitrary<TransferOrder> = fc.record({
  to: account,
  amount: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map((minor) => usdt(minor)),
  feeLimit: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 15_000_000_000n)),
  reference: fc.record({ number: fc.nat(2 ** 31 - 1), id: hex(32), at: instant }),
  at: instant,
  expiresAt: instant,
})

test('every transfer equals that of tronweb, in bytes, id and JSON', async () => {
  await fc.assert(
    fc.asyncProperty(account, account, orders, async (contract, from, order) => {
      const built = buildTransfer(`41${contract}`, `41${from}`, order)
      const wanted = await byTronWeb(`41${contract}`, `41${from}`, order)
      expect(JSON.stringify(built)).toBe(JSON.stringify(wanted))
    }),
    { numRuns: 300 },
  )
})

const order: TransferOrder = {
  to: '11'.repeat(20),
  amount: usdt(1n),
  feeLimit: 1n,
  reference: { number: 1, id: '22'.repeat(32), at: new Date(1) },
  at: new Date(1),
  expiresAt: new Date(2),
}

test.each([
  ['an account that is none', { to: '11' }],
  ['a fee limit of zero', { feeLimit: 0n }],
  ['a fee limit that no JSON number holds', { feeLimit: 2n ** 53n }],
])('%s is refused', (_, wrong) => {
  const build = () => buildTransfer(`41${'33'.repeat(20)}`, `41${'44'.repeat(20)}`, { ...order, ...wrong })
  expect(build).toThrow(RangeError)
})
