import { expect, test } from 'vitest'
import { sha256 } from '../digest.ts'
import { usdt } from '../money.ts'
import { addressMac } from '../top-up-address/address-mac.ts'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { AddressSource, ChainBlock, TokenTransfer } from '../chain/chain.ts'
import type { Alert } from '../alert.ts'
import { compareSources, creditFault } from './compare-sources.ts'
import { someDeposit } from './deposit.fixture.ts'
import type { ClaimedDeposit } from './ports.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const addressSource: AddressSource = { derive: (index) => ({ account: `account ${index}`, address: `T${index}` }) }
const place = { tenantId: 'ten_1', chain: 'tron', index: 0, ...addressSource.derive(0) } as const
const mac = addressMac(addressMacKeys, place)
const topUp: TopUpAddress = { ...place, mac, createdAt: at, retiredAt: null }

const transfer: TokenTransfer = {
  txHash: 'ab'.repeat(32),
  index: 3,
  from: 'a sender',
  to: topUp.account,
  value: 25000000n,
  expiresAt: at,
}
const block: ChainBlock = {
  number: 7,
  id: sha256('7'),
  parentId: sha256('6'),
  at,
  transactions: [transfer.txHash],
  transfers: [transfer],
  unknownTokenTransfers: [],
}
const credit = {
  deposit: { txHash: transfer.txHash, transferIndex: 3, amount: usdt(25000000n) },
  sender: transfer.from,
  topUp,
  block: 7,
}

/** The fault of a credit at a node that shows this block. */
const faultOf = (of: typeof credit, shown: ChainBlock | undefined = block) =>
  creditFault(
    {
      addressSource,
      addressMacKeys,
      reader: { block: async (view, number) => (view === 'solid' && number === 7 ? shown : undefined) },
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
  ['amount, a smaller one,', { value: 24_999_999n }],
  ['amount, a larger one,', { value: 25_000_001n }],
])('a transfer with another %s is not the one that was credited', async (_, other) => {
  const fault = await faultOf(credit, { ...block, transfers: [{ ...transfer, ...other }] })
  expect(fault).toEqual({
    detail: '25.000000 USDT were credited, and solid block 7 shows no such transfer',
    isAbsent: false,
  })
})

test('a node without the block may be behind', async () => {
  expect(await faultOf({ ...credit, block: 8 })).toMatchObject({
    isAbsent: true,
    detail: expect.stringContaining('solid block 8'),
  })
})

test('a credit at an address that was changed has a fault, whatever the chain shows', async () => {
  const changed = { ...topUp, tenantId: 'ten_2' }
  expect(await faultOf({ ...credit, topUp: changed })).toEqual({
    detail: 'it was credited at the address T0: its MAC does not match',
    isAbsent: false,
  })
})

const claimed: ClaimedDeposit = {
  claim: { tenantId: 'ten_1', depositId: 'dep_1', fencingToken: 3 },
  deposit: { ...someDeposit, id: 'dep_1', tenantId: 'ten_1', ...credit.deposit },
  sender: transfer.from,
  solid: { type: 'confirmed', block: 7 },
  topUp,
  tenantStatus: 'active',
  claimCount: 3,
}

/** Compares the claimed deposit with a node and a second provider that show these blocks. */
async function compare(
  [node, second]: readonly ChainBlock[],
  { of = claimed, topUps = [topUp] }: { of?: ClaimedDeposit; topUps?: readonly TopUpAddress[] } = {},
) {
  const alerts: Alert[] = []
  const ports = {
    addresses: addressStoreOf(topUps),
    reader: { block: async () => node },
    verifier: { block: async () => second },
    addressSource,
    addressMacKeys,
    format: { format: (account: string) => `T of ${account}` },
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  }
  return { result: await compareSources(ports, of, true), alerts }
}
const without: ChainBlock = { ...block, transfers: [] }

test.each([
  ['the node', [without, block]],
  ['the second provider', [block, without]],
] as const)('from the third claim on, an alert names %s, which denies it', async (name, shown) => {
  for (const claimCount of [1, 2])
    expect(await compare(shown, { of: { ...claimed, claimCount } })).toMatchObject({
      result: { problem: `${name} shows no such transfer in solid block 7, it is read again` },
      alerts: [],
    })
  const { result, alerts } = await compare(shown)
  expect(result).toBe('disagree')
  expect(alerts).toEqual([
    {
      code: 'SOURCES_DISAGREE',
      tenantId: 'ten_1',
      subject: 'dep_1',
      detail: `${name} shows no such transfer in solid block 7, from T of a sender; the deposit goes to review`,
    },
  ])
})

test('an address that this process cannot check is decided later, without an alert', async () => {
  const mine = { ...topUp, mac: addressMac([{ id: '1', key: new Uint8Array(32).fill(9) }], topUp) }
  expect(await compare([block, block], { of: { ...claimed, topUp: mine }, topUps: [mine] })).toEqual({
    alerts: [],
    result: { problem: expect.stringContaining('none of 1 top-up addresses of key 1 passes') },
  })
})
