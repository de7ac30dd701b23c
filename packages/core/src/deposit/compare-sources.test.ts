import { expect, test } from 'vitest'
import { sha256 } from '../digest.ts'
import { usdt } from '../money.ts'
import { addressMac } from './address-mac.ts'
import type { AddressSource, ChainBlock, TokenTransfer } from './chain.ts'
import { creditFault } from './compare-sources.ts'
import type { TopUpAddress } from './ports.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const source: AddressSource = {
  derive: (index) => ({ account: `account ${index}`, address: `T${index}` }),
}
const place = { tenantId: 'ten_1', chain: 'tron', index: 0, ...source.derive(0) } as const
const mac = addressMac(addressMacKeys, place)
const topUp: TopUpAddress = { ...place, mac, createdAt: at, retiredAt: null }

const transfer: TokenTransfer = {
  ...{ txHash: 'ab'.repeat(32), index: 3, from: 'a sender', to: topUp.account },
  ...{ value: 25_000_000n, expiresAt: at },
}
const block: ChainBlock = {
  ...{ number: 7, id: sha256('7'), parentId: sha256('6'), at },
  ...{ transactions: [transfer.txHash], transfers: [transfer], unknownTokenRecipients: [] },
}
const credit = {
  deposit: { txHash: transfer.txHash, transferIndex: 3, amount: usdt(25_000_000n) },
  ...{ sender: transfer.from, topUp, block: 7 },
}

/** The fault of a credit at a node that shows this block. */
const faultOf = (of: typeof credit, shown: ChainBlock | undefined = block) =>
  creditFault(
    {
      ...{ source, addressMacKeys },
      reader: {
        block: async (view, number) => (view === 'solid' && number === 7 ? shown : undefined),
      },
    },
    of,
  )

test('a credit whose transfer is in its solid block has no fault', async () => {
  expect(await faultOf(credit)).toBeNull()
  const others = [{ ...transfer, index: 2 }, transfer]
  expect(await faultOf(credit, { ...block, transfers: others })).toBeNull()
})

test.each<[string, Partial<TokenTransfer>]>([
  ['transaction', { txHash: 'cd'.repeat(32) }],
  ['index', { index: 4 }],
  ['sender', { from: 'another sender' }],
  ['recipient', { to: 'another account' }],
  ['amount', { value: 24_999_999n }],
])('a transfer with another %s is not the one that was credited', async (_, other) => {
  const fault = await faultOf(credit, { ...block, transfers: [{ ...transfer, ...other }] })
  expect(fault).toEqual({
    detail: '25.000000 USDT were credited, and solid block 7 shows no such transfer',
    isAbsent: false,
  })
})

test('a node without the block may be behind', async () => {
  expect(await faultOf({ ...credit, block: 8 })).toMatchObject({
    ...{ isAbsent: true, detail: expect.stringContaining('solid block 8') },
  })
})

test('a credit at an address that was changed has a fault, whatever the chain shows', async () => {
  const changed = { ...topUp, tenantId: 'ten_2' }
  expect(await faultOf({ ...credit, topUp: changed })).toEqual({
    detail: 'it was credited at the address T0: its MAC does not match',
    isAbsent: false,
  })
})
