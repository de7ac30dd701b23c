import { expect, test } from 'vitest'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { ChainBlock } from '../chain/chain.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { scanSolid } from './scan-solid.ts'
import { blockOf, refOf, scanHarness as harness, scannedAt as now } from './scan.fixture.ts'
import { defaultScanSettings } from './scan.ts'

const stored: TopUpAddress = {
  tenantId: 'ten_1',
  chain: 'tron',
  index: 0,
  account: 'a',
  address: 'T',
  mac: '2.made by another key',
  createdAt: now,
  retiredAt: null,
}

test('a process that cannot check the top-up addresses does not claim a scan, and says so once', async () => {
  const { ports, did, alerts } = harness({
    newest: { solid: 9 },
    at: { solid: refOf(6) },
    addresses: addressStoreOf([stored]),
  })
  const scan = scanSolid(ports, defaultScanSettings)
  for (let poll = 0; poll < 3; poll++) expect(await scan()).toMatchObject({ state: 'keys_missing', blocks: 0 })
  expect(did).toEqual([])
  expect(alerts).toEqual([
    {
      code: 'ADDRESS_KEYS_MISSING',
      tenantId: null,
      subject: 'tron',
      detail:
        'none of 1 top-up addresses of key 2 passes its check: ADDRESS_MAC_KEY or TRON_XPUB is not the one of this installation',
    },
  ])
})

test('a scan does not advance past a transfer that it cannot check, and goes on once it can', async () => {
  let rows: readonly TopUpAddress[] = []
  const block = (number: number): ChainBlock => ({
    ...blockOf(number),
    ...(number === 8 && { transfers: [{ txHash: 'h', index: 0, from: 'b', to: 'a', value: 5n, expiresAt: now }] }),
  })
  const { ports, written, did } = harness({
    newest: { solid: 9 },
    at: { solid: refOf(6) },
    block,
    addresses: {
      keyUse: () => addressStoreOf(rows).keyUse(),
      sample: (...args) => addressStoreOf(rows).sample(...args),
      match: async () => rows,
    },
  })
  const scan = scanSolid(ports, { ...defaultScanSettings, readAhead: 1 })
  const first = scan()
  rows = [stored]
  expect(await first).toMatchObject({ state: 'keys_missing' })
  expect(written.map(({ blocks }) => blocks[0]?.number)).toEqual([7])
  expect(did).toEqual(['yield solid'])
  rows = []
  expect(await scan()).toMatchObject({ state: 'idle' })
})
