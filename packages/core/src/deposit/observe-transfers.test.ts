import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { usdt } from '../money.ts'
import { addressMac } from './address-mac.ts'
import type { AddressSource, ChainBlock, TokenTransfer } from './chain.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { TopUpAddress } from './ports.ts'
import type { ScanPorts } from './scan.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const addressMacKeys = [{ id: '1', key: new Uint8Array(32).fill(7) }] as const
const source: AddressSource = {
  derive: (index) => ({ account: `account ${index}`, address: `T${index}` }),
}
const topUpOf = (index: number): TopUpAddress => {
  const place = { tenantId: `ten_${index}`, chain: 'tron', index, ...source.derive(index) } as const
  return { ...place, mac: addressMac(addressMacKeys, place), createdAt: now, retiredAt: null }
}

const transfer = (to: string, value: bigint, index = 0): TokenTransfer => ({
  ...{ txHash: 'ab'.repeat(32), index, from: 'a sender', to, value },
  expiresAt: new Date(now.getTime() + 60_000),
})
const block: ChainBlock = {
  ...{ number: 7, id: 'b7', parentId: 'b6', at: new Date(now.getTime() - 3_000) },
  ...{ transactions: [], transfers: [], unknownTokenRecipients: [] },
}

/** Observes these blocks with these rows of top-up addresses. */
async function observe(blocks: readonly ChainBlock[], rows = [topUpOf(1), topUpOf(2)]) {
  const alerts: Alert[] = []
  const lookedUp: (readonly string[])[] = []
  const unused = () => expect.fail('it is not called')
  const ports: ScanPorts = {
    scans: {
      ...{ claim: unused, renew: unused, yieldClaim: unused, at: unused, refsAbove: unused },
      ...{ unconfirmed: unused, advance: unused, rewind: unused },
    },
    addresses: {
      match: async (_, accounts) => {
        lookedUp.push(accounts)
        return rows.filter(({ account }) => accounts.includes(account))
      },
    },
    reader: { chain: 'tron', head: unused, block: unused, ref: unused },
    ...{ source, addressMacKeys, encodeEvent: encodeForTest, ids: countingIds() },
    format: { format: (account) => `T of ${account}` },
    now: () => now,
    raiseAlert: (alert) => void alerts.push(alert),
  }
  return { ...(await observeTransfers(ports, blocks)), alerts, lookedUp }
}

const counts = { transfers: 0, zeroValue: 0, unknownTokenTransfers: 0 }

test('blocks without a recipient look no address up', async () => {
  expect(await observe([block, block])).toEqual({
    ...{ ...counts, observedTransfers: [], alerts: [], lookedUp: [] },
  })
})

test('each account of a run of blocks is looked up once, in one reading', async () => {
  const { lookedUp, ...seen } = await observe([
    { ...block, transfers: [transfer('account 1', 5n), transfer('someone', 6n, 1)] },
    {
      ...{ ...block, number: 8, transfers: [transfer('account 1', 7n)] },
      unknownTokenRecipients: ['account 2', 'someone', 'account 2', 'account 1'],
    },
  ])
  expect(lookedUp).toEqual([['account 1', 'someone', 'account 2']])
  expect(seen).toMatchObject({ transfers: 2, zeroValue: 0, unknownTokenTransfers: 3 })
})

test('a transfer opens a deposit of its tenant, in its block', async () => {
  const { observedTransfers } = await observe([
    { ...block, transfers: [transfer('account 2', 5_000_000n, 3)] },
  ])
  expect(observedTransfers).toEqual([
    {
      ...{ sender: 'a sender', block: 7, expiresAt: new Date(now.getTime() + 60_000) },
      step: {
        deposit: {
          id: expect.stringMatching(/^dep_.{26}$/),
          ...{ tenantId: 'ten_2', chain: 'tron', txHash: 'ab'.repeat(32), transferIndex: 3 },
          ...{ address: 'T2', fromAddress: 'T of a sender', amount: usdt(5_000_000n) },
          ...{ createdAt: now, status: 'pending' },
        },
        transfer: null,
        event: expect.objectContaining({ type: 'deposit.pending', occurredAt: block.at }),
      },
    },
  ])
})

test('an event does not occur after the process’s clock, when the chain’s is ahead', async () => {
  const ahead = { ...block, at: new Date(now.getTime() + 1) }
  const { observedTransfers } = await observe([
    { ...ahead, transfers: [transfer('account 1', 5n)] },
  ])
  expect(observedTransfers[0]?.step.event.occurredAt).toEqual(now)
})

test('a transfer of nothing is counted, and opens no deposit', async () => {
  const seen = await observe([
    { ...block, transfers: [transfer('account 1', 0n), transfer('someone', 0n, 1)] },
  ])
  expect(seen).toMatchObject({ ...counts, zeroValue: 1, observedTransfers: [], alerts: [] })
})

test('an address that was changed raises one alert, and opens no deposit', async () => {
  const changed = { ...topUpOf(1), tenantId: 'ten_9' }
  const transfers = [transfer('account 1', 5n), transfer('account 1', 6n, 1)]
  const seen = await observe(
    [
      { ...block, transfers },
      { ...block, transfers: [transfer('account 2', 7n)] },
    ],
    [changed, topUpOf(2)],
  )
  expect(seen).toMatchObject({ transfers: 1, zeroValue: 0 })
  expect(seen.observedTransfers.map(({ step }) => step.deposit.tenantId)).toEqual(['ten_2'])
  expect(seen.alerts).toEqual([
    {
      ...{ code: 'ADDRESS_MAC_MISMATCH', tenantId: 'ten_9', subject: 'T1' },
      detail: 'its MAC does not match',
    },
  ])
})
