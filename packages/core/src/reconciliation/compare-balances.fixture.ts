import type { Alert } from '../alert.ts'
import type { SweptAmounts } from '../sweep/ports.ts'
import { compareBalances, type CompareBalancesPorts } from './compare-balances.ts'
import type { AddressFunds } from './ports.ts'
import { ids, notedDifferences, recordedDifferences } from './reconciliation.fixture.ts'
import type { ReconciledSlice } from './run.ts'

/** A day whose thirtieth of unfunded addresses is 0 to 49. */
export const startedAt: Date = new Date(30 * 700 * 86_400_000)

/** A top-up address. */
export type Address = {
  /** Amount and block of each confirmed transfer. */
  readonly deposits: readonly (readonly [amount: bigint, block: number])[]
  readonly balance: bigint
}

export const funded = (balance: bigint, ...deposits: [bigint, number][]): Address => ({ deposits, balance })

export type BalancesHarness = {
  /** The accounts that the token has frozen, and the accounts whose state was queried. */
  readonly frozen: Set<string>
  readonly blockedQueries: readonly string[]
  readonly alerts: readonly Alert[]
  readonly ports: CompareBalancesPorts
  readonly compare: (from: number, startedAt: Date) => Promise<ReconciledSlice>
  readonly differences: ReturnType<typeof notedDifferences>
  readonly found: () => readonly string[]
  /** The accounts of each reading of balances. */
  readonly reads: readonly (readonly string[])[]
  readonly addresses: Record<number, Address>
  readonly swept: Map<string, SweptAmounts>
  /** The blocks of the next balances. */
  readonly blocks: { from: number; through: number }
  /** The keys of addresses whose balance the node does not answer. */
  readonly unread: Set<string>
  /** Each wait for the solid scan, in milliseconds. */
  readonly waits: readonly number[]
}

/** The deposits up to a block. */
const sumOf = (deposits: Address['deposits'], last: number): bigint =>
  deposits.reduce((sum, [amount, at]) => (at <= last ? sum + amount : sum), 0n)

/** A chain whose balances are of blocks 100 to 120, and a solid scan that moves by ten blocks a poll. */
export function balancesHarness(
  addresses: Record<number, Address>,
  scannedTo = 120,
  onRead: () => void = () => undefined,
): BalancesHarness {
  const swept = new Map<string, SweptAmounts>()
  const differences = notedDifferences(recordedDifferences())
  const reads: string[][] = []
  const frozen = new Set<string>()
  const blockedQueries: string[] = []
  const alerts: Alert[] = []
  const waits: number[] = []
  const blocks = { from: 100, through: 120 }
  const unread = new Set<string>()
  let scanned = 90
  let seconds = 0
  const fundsOf = ([key, { deposits }]: [string, Address], block: number): AddressFunds => {
    const sumUpTo = (last: number) => sumOf(deposits, last)
    const about = { tenantId: `ten_${key}`, index: Number(key), account: key, address: `T${key}` }
    return { ...about, received: sumUpTo(scanned), receivedThrough: sumUpTo(Math.min(block, scanned)) }
  }
  const ports: CompareBalancesPorts = {
    differences,
    ids,
    now: () => new Date(startedAt.getTime() + 1_000 * seconds++),
    raiseAlert: (alert) => void alerts.push(alert),
    reader: {
      isBlocked: async (account) => {
        blockedQueries.push(account)
        return frozen.has(account)
      },
    },
    chain: {
      tokenBalances: async (accounts) => {
        reads.push([...accounts])
        onRead()
        const read = accounts
          .filter((key) => !unread.has(key))
          .map((key) => [key, addresses[Number(key)]?.balance ?? 0n] as const)
        const missing = accounts.filter((key) => unread.has(key))
        return { ...blocks, balances: new Map(read), unread: missing }
      },
    },
    reconciliations: {
      addressFunds: async (_, from, limit, block) =>
        Object.entries(addresses)
          .filter(([key]) => Number(key) >= from)
          .slice(0, limit)
          .map((entry) => fundsOf(entry, block)),
    },
    sweeps: { sweptOf: async () => new Map(swept) },
    scans: { at: async () => ({ number: scanned, id: 'b', at: startedAt }) },
    timer: (ms) => {
      waits.push(ms)
      scanned = Math.min(scanned + 10, scannedTo)
      return { done: Promise.resolve(), cancel: () => undefined }
    },
  }
  const found = () => differences.all().map(({ kind, subject }) => `${kind} ${subject}`)
  const compare = compareBalances(ports, 'tron')
  return {
    ports,
    frozen,
    blockedQueries,
    alerts,
    compare,
    differences,
    found,
    reads,
    addresses,
    swept,
    blocks,
    unread,
    waits,
  }
}
