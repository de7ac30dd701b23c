import type { Alert } from '../alert.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { addressStoreOf } from '../top-up-address/address-store.fixture.ts'
import type { BlockRef, ChainBlock, ChainView } from '../chain/chain.ts'
import type { ScanAdvance, ScanStore } from './ports.ts'
import { defaultScanSettings, type ScanPorts } from './scan.ts'

export const scannedAt: Date = new Date('2026-03-01T12:00:00.000Z')

/** An empty block of the chain. */
export const blockOf = (number: number): ChainBlock => ({
  number,
  id: `b${number}`,
  parentId: `b${number - 1}`,
  at: scannedAt,
  transactions: [],
  transfers: [],
  unknownTokenTransfers: [],
})
export const refOf = (number: number): BlockRef => ({ number, id: `b${number}`, at: scannedAt })

export type ScanHarness = {
  readonly ports: ScanPorts
  readonly did: unknown[]
  readonly written: readonly ScanAdvance[]
  readonly alerts: readonly Alert[]
}

export type ScanWorld = {
  /** The newest blocks, and the positions of the scans. */
  readonly newest?: Partial<Record<ChainView, number>>
  readonly at?: Partial<Record<ChainView, BlockRef>>
  readonly block?: (number: number) => ChainBlock | undefined
  readonly scans?: Partial<ScanStore>
  /** Scanned blocks of the head, newest first. */
  readonly scanned?: readonly BlockRef[]
  readonly addresses?: Partial<ScanPorts['addresses']>
}

/** The ports of a scan over a chain of empty blocks, and what they were called for. */
export function scanHarness({
  newest = {},
  at = {},
  block = blockOf,
  scans = {},
  scanned = [],
  addresses,
}: ScanWorld): ScanHarness {
  const did: unknown[] = []
  const written: ScanAdvance[] = []
  const alerts: Alert[] = []
  const ports: ScanPorts = {
    scans: {
      claim: async (chain, view) => ({ claim: { chain, view, fencingToken: 3 }, at: at[view] }),
      renew: async (_, seconds) => seconds === defaultScanSettings.leaseSeconds,
      yieldClaim: async ({ view }) => void did.push(`yield ${view}`),
      at: async (_, view) => at[view],
      refsAbove: async (_, above) => scanned.filter(({ number }) => number > above),
      unconfirmed: async () => [],
      advance: async (_, write) => {
        written.push(write)
        return { type: 'committed', contradicted: [] }
      },
      rewind: async (_, from, to) => {
        did.push(`rewind ${from.id} to ${to.id}`)
        return 'committed'
      },
      ...scans,
    },
    addresses: { match: async () => [], ...addressStoreOf([]), ...addresses },
    reader: {
      chain: 'tron',
      head: async (view) => refOf(newest[view] ?? 0),
      block: async (_, number) => block(number),
      ref: async (_, number) => block(number),
      blockOf: async () => undefined,
    },
    addressSource: {
      derive: () => {
        throw new Error('no address is known')
      },
    },
    format: { format: (account) => account },
    addressMacKeys: [{ id: '1', key: new Uint8Array(32) }],
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => scannedAt,
    raiseAlert: (alert) => void alerts.push(alert),
  }
  return { ports, did, written, alerts }
}
