import {
  type Account,
  defaultDepositRules,
  defaultScanSettings,
  type Deposit,
  type EnsureTopUpAddress,
  ensureTopUpAddress,
  type Incident,
  type OutgoingEvent,
  type Reconcile,
  reconcile,
  type ReviewDeposits,
  reviewDeposits,
  type RotateTopUpAddress,
  rotateTopUpAddress,
  type Scan,
  scanHead,
  type ScanPorts,
  type ScanSettings,
  scanSolid,
  type SettleDeposit,
  settleDeposit,
  type TopUpAddress,
  usdt,
} from '@quipu/core'
import { someInstant } from '../given.ts'
import type { World } from '../harness.ts'
import { accountOf, testAddresses, testSealKey } from './addresses.ts'
import { scriptedChain, type ScriptedChain } from './scripted-chain.ts'
import { eventsAbout } from '../events-about.ts'
import { encodeForTest } from '../encode-for-test.ts'

/** One tenant with its address, a chain, and the use cases between them. */
export type FundingDesk = {
  readonly tenantId: string
  readonly topUp: TopUpAddress
  readonly chain: ScriptedChain
  /** A second provider of the same blocks, unless the test tells it otherwise. */
  readonly verifier: ScriptedChain
  readonly incidents: Incident[]
  readonly head: Scan
  readonly solid: Scan
  /** A worker of its own: other ports or settings, over the same stores. */
  scanner(view: 'head' | 'solid', over?: Partial<ScanPorts & ScanSettings>): Scan
  /** One round of one worker. */
  settle(): Promise<readonly Deposit[]>
  /** The same for a worker that has no second provider. */
  settleAlone(): Promise<readonly Deposit[]>
  readonly settleOne: SettleDeposit
  /** Everything is solid, scanned and settled. */
  finish(): Promise<readonly Deposit[]>
  readonly ensure: EnsureTopUpAddress
  readonly rotate: RotateTopUpAddress
  readonly review: ReviewDeposits
  readonly reconcile: Reconcile
  /** Newest first. */
  deposits(): Promise<readonly Deposit[]>
  /** The tenant’s only deposit. */
  deposit(): Promise<Deposit>
  available(): Promise<bigint | undefined>
  /** The types of the events about a deposit, oldest first. */
  told(id: string): Promise<readonly string[]>
  /** Every event that was encoded. */
  readonly encoded: OutgoingEvent[]
}

/** Where the service’s own tokens come from. */
export const serviceAccount: Account = accountOf('faucet')

export async function fundingDesk(world: World): Promise<FundingDesk> {
  const tenantId = await world.newWallet(usdt(0n))
  const [chain, verifier] = [scriptedChain(), scriptedChain('verifier')]
  const incidents: Incident[] = []
  const encoded: OutgoingEvent[] = []
  const { addresses, scans, deposits, wallets, ids } = world
  const ports = {
    addresses,
    scans,
    deposits,
    wallets,
    ids,
    reader: chain.reader,
    verifier: { block: (_: string, number: number) => verifierBlock(chain, verifier, number) },
    source: testAddresses,
    format: testAddresses,
    sealKey: testSealKey,
    now: () => new Date(someInstant.getTime() + 3_600_000),
    alarm: (incident: Incident) => void incidents.push(incident),
    encodeEvent: (event: OutgoingEvent) => {
      encoded.push(event)
      return encodeForTest(event)
    },
  }
  const ensure = ensureTopUpAddress(ports, 'tron')
  const settings = { rules: defaultDepositRules, serviceAccounts: [serviceAccount] }
  const settleOne = settleDeposit(ports, settings)
  const { verifier: _, ...ofOneProvider } = ports
  const settleOneAlone = settleDeposit(ofOneProvider, settings)
  const scanner: FundingDesk['scanner'] = (view, over = {}) =>
    (view === 'head' ? scanHead : scanSolid)(
      { ...ports, ...over },
      { ...defaultScanSettings, ...over },
    )
  const [head, solid] = [scanner('head'), scanner('solid')]
  const settleBy = (settleOf: SettleDeposit) => async () =>
    Promise.all((await deposits.claimDue(100, 100)).map(settleOf))
  const settle = settleBy(settleOne)
  const all = async () => (await deposits.list(tenantId, { limit: 1_000 })).items
  return {
    tenantId,
    topUp: await ensure(tenantId),
    chain,
    verifier,
    incidents,
    head,
    solid,
    scanner,
    settle,
    settleAlone: settleBy(settleOneAlone),
    settleOne,
    finish: async () => {
      chain.solidify()
      while ((await solid()).state === 'more');
      return settle()
    },
    ensure,
    rotate: rotateTopUpAddress(ports, 'tron'),
    review: reviewDeposits(ports),
    reconcile: reconcile(ports, 'tron'),
    deposits: all,
    deposit: async () => {
      const [only, ...others] = await all()
      if (only === undefined || others.length > 0) throw new Error('there is not one deposit')
      return only
    },
    available: async () => (await wallets.find(tenantId))?.available.minor,
    told: async (id) => (await eventsAbout(world, tenantId, id)).map(({ type }) => type),
    encoded,
  }
}

/** The second provider has the first one’s blocks; the test decides what it shows of them. */
async function verifierBlock(chain: ScriptedChain, verifier: ScriptedChain, number: number) {
  await verifier.asked('block', 'solid', number)
  const block = number <= chain.solid ? chain.blocks[number - 1] : undefined
  return block && verifier.shown('solid', block)
}
