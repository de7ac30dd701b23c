import {
  type Clock,
  defaultDepositRules,
  idSource,
  type Alert,
  reconcile,
  scanHead,
  scanSolid,
  settleDeposit,
  type Stores,
  type TopUpAddress,
  Unavailable,
  usdt,
} from '@quipu/core'
import { testAddresses, testSealKey, topUpMaker } from '../../fixtures/deposit/addresses.ts'
import { serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import { counter, given, type Given, someInstant } from '../../fixtures/builders.ts'
import { type Loop, simulationLoop } from '../event-loop.ts'
import { type Machine, simulatedMachine, type Weather } from '../machine.ts'
import { chainNodes, type Nodes } from './faulty-nodes.ts'
import { type FundingStory, wildMs } from './scenario.ts'
import { type WildChain, wildChain } from './forking-chain.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'

/** Stores that live in the simulation’s time. */
export type OpenSimulatedStores = (now: Clock) => Stores

/** How the world keeps what the story relies on. */
export type Faith = { readonly isSolidFinal: boolean }

/** What came of a story. */
export type FundingOutcome = {
  readonly stores: Stores
  readonly chain: WildChain
  readonly topUps: readonly TopUpAddress[]
  readonly nodes: Nodes
  readonly alerts: readonly Alert[]
  /** Errors that no port may throw. */
  readonly bugs: readonly unknown[]
  /** What was wrong right after some write, although it may have been put right since. */
  readonly wrongs: readonly string[]
}

type Stage = FundingOutcome & {
  readonly loop: Loop
  readonly weather: Weather & { pollMs: number }
  readonly ids: Given['ids']
  readonly alerts: Alert[]
  readonly bugs: unknown[]
}

const leaseSeconds = 20

/** Plays a story to its end: two wild minutes, then fair weather until everything is decided. */
export async function playFunding(
  story: FundingStory,
  open: OpenSimulatedStores,
  faith: Faith = { isSolidFinal: true },
): Promise<FundingOutcome> {
  const loop = simulationLoop(story.seed, someInstant)
  const stage = await setStage(loop, open(loop.now), story, faith)
  const { chain, nodes, weather } = stage
  const workers = [startWorker(stage), startWorker(stage)]
  for (const payment of story.payments) loop.after(payment.at, () => chain.send(payment))
  for (const at of story.crashes) {
    loop.after(at, () => {
      const index = Math.floor(loop.random() * workers.length)
      workers[index]?.crash()
      workers[index] = startWorker(stage)
    })
  }
  await loop.run(wildMs)
  Object.assign(weather, { storeFaults: 0, latency: () => 0, pollMs: 5_000 })
  Object.assign(nodes, { faults: 0, lies: 0, staleness: 0 })
  chain.calm()
  await loop.run(360_000)
  chain.rest()
  await loop.run(60_000)
  return stage
}

async function setStage(
  loop: Loop,
  unwatched: Stores,
  story: FundingStory,
  faith: Faith,
): Promise<Stage> {
  const data = given(unwatched)
  const topUps: TopUpAddress[] = []
  for (let n = 0; n < 3; n++) {
    const tenantId = await data.newWallet(usdt(0n))
    topUps.push(await unwatched.addresses.ensure(tenantId, 'tron', topUpMaker(tenantId)))
  }
  const accounts = topUps.map(({ account }) => account)
  const chain = wildChain(loop, story, accounts)
  const wrongs: string[] = []
  const { nodeFaults: faults, lies, staleness, latencyMs, storeFaults } = story
  const latency = (): number =>
    loop.chance(0.02) ? loop.random() * 30_000 : loop.random() * latencyMs
  return {
    loop,
    stores: watched(unwatched, topUps, chain, wrongs),
    chain,
    topUps,
    nodes: chainNodes(loop, chain, accounts, { faults, lies, staleness, ...faith }),
    weather: { storeFaults, latency, pollMs: 2_000 },
    ids: idSource(counter()),
    alerts: [],
    bugs: [],
    wrongs,
  }
}

/** Looks at the books after every write, and at the chain whenever something is credited. */
function watched(
  stores: Stores,
  topUps: readonly TopUpAddress[],
  chain: WildChain,
  wrongs: string[],
): Stores {
  const books = reconcile({ ...stores, now: () => someInstant }, 'tron')
  const look = async (): Promise<void> => {
    for (const { tenantId } of topUps) {
      if (!(await books(tenantId))?.balanced) wrongs.push(`the books of ${tenantId} do not balance`)
    }
  }
  const isSolid = (txHash: string): boolean =>
    chain.blocks
      .slice(0, chain.solid)
      .some(({ transfers }) => transfers.some((each) => each.txHash === txHash))
  return {
    ...stores,
    scans: {
      ...stores.scans,
      advance: async (...given) => {
        const result = await stores.scans.advance(...given)
        await look()
        return result
      },
    },
    deposits: {
      ...stores.deposits,
      commit: async (write) => {
        const result = await stores.deposits.commit(write)
        const { status, txHash } = write.step.deposit
        if (result === 'committed' && status === 'credited' && !isSolid(txHash)) {
          wrongs.push(`${txHash} was credited and is not solid`)
        }
        await look()
        return result
      },
    },
  }
}

function startWorker(stage: Stage): Machine {
  const { loop, weather, nodes, stores, ids, alerts, bugs } = stage
  const machine = simulatedMachine(loop, weather, Math.floor((loop.random() - 0.5) * 4_000))
  const reader = nodes.from(machine)
  const ports = {
    scans: machine.store(stores.scans),
    deposits: machine.store(stores.deposits),
    addresses: machine.store(stores.addresses),
    reader,
    verifier: reader,
    source: testAddresses,
    format: testAddresses,
    addressMacKey: testSealKey,
    encodeEvent: encodeForTest,
    ids,
    now: machine.now,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  }
  const scanSettings = { leaseSeconds, readAhead: 4, blocksPerPoll: 6, firstBlock: 1 }
  const rules = { ...defaultDepositRules, verifyFrom: usdt(1_500_000n) }
  const settle = settleDeposit(ports, { rules, serviceAccounts: [serviceAccount] })
  const note = (error: unknown): void => {
    if (!(error instanceof Unavailable)) bugs.push(error)
  }
  const rounds = [
    scanHead(ports, scanSettings),
    scanSolid(ports, scanSettings),
    async () => {
      const due = await ports.deposits.claimDue(3, leaseSeconds)
      await Promise.all(due.map((each) => settle(each).catch(note)))
    },
  ]
  const repeat = async (round: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      await round().catch(note)
      await machine.timer(weather.pollMs * (0.5 + loop.random())).done
    }
  }
  for (const round of rounds) void repeat(round)
  return machine
}
