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
import { testAddresses, testMacKeys, topUpMaker } from '../../fixtures/deposit/addresses.ts'
import { serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import { countingBytes, builders, type Builders } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type EventLoop, eventLoop } from '../event-loop.ts'
import { type Machine, simulatedMachine, type Faults } from '../machine.ts'
import { chainNodes, type Nodes } from './faulty-nodes.ts'
import { type DepositScenario, faultyMs } from './scenario.ts'
import { type ForkingChain, forkingChain } from './forking-chain.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'

/** Stores whose clock is the simulation’s. */
export type OpenSimulatedStores = (now: Clock) => Stores

/** Guarantees of the simulated chain; a test breaks it to prove that the invariants detect it. */
export type Assumptions = { readonly isSolidFinal: boolean }

/** The final state of a run. */
export type DepositSimulationResult = {
  readonly stores: Stores
  readonly chain: ForkingChain
  readonly topUps: readonly TopUpAddress[]
  readonly nodes: Nodes
  readonly alerts: readonly Alert[]
  /** Errors other than `Unavailable`. */
  readonly unexpectedErrors: readonly unknown[]
  /** Violations after single writes, which the final state need not show. */
  readonly violations: readonly string[]
}

type Setup = DepositSimulationResult & {
  readonly loop: EventLoop
  readonly faults: Faults & { pollMs: number }
  readonly ids: Builders['ids']
  readonly alerts: Alert[]
  readonly unexpectedErrors: unknown[]
}

const leaseSeconds = 20

/** Runs a scenario: two minutes with faults, then without faults until every deposit is settled. */
export async function runDepositScenario(
  scenario: DepositScenario,
  open: OpenSimulatedStores,
  assumptions: Assumptions = { isSolidFinal: true },
): Promise<DepositSimulationResult> {
  const loop = eventLoop(scenario.seed, someInstant)
  const setup = await setUp(loop, open(loop.now), scenario, assumptions)
  const { chain, nodes, faults } = setup
  const workers = [startWorker(setup), startWorker(setup)]
  for (const payment of scenario.payments) loop.after(payment.at, () => chain.send(payment))
  for (const at of scenario.crashes) {
    loop.after(at, () => {
      const index = Math.floor(loop.random() * workers.length)
      workers[index]?.crash()
      workers[index] = startWorker(setup)
    })
  }
  await loop.run(faultyMs)
  Object.assign(faults, { storeFaults: 0, latency: () => 0, pollMs: 5_000 })
  Object.assign(nodes, { faults: 0, forgeries: 0, staleness: 0 })
  chain.stopForking()
  await loop.run(360_000)
  chain.stop()
  await loop.run(60_000)
  return setup
}

async function setUp(
  loop: EventLoop,
  unwatched: Stores,
  scenario: DepositScenario,
  assumptions: Assumptions,
): Promise<Setup> {
  const data = builders(unwatched)
  const topUps: TopUpAddress[] = []
  for (let n = 0; n < 3; n++) {
    const tenantId = await data.newWallet(usdt(0n))
    topUps.push(await unwatched.addresses.ensure(tenantId, 'tron', topUpMaker(tenantId)))
  }
  const accounts = topUps.map(({ account }) => account)
  const chain = forkingChain(loop, scenario, accounts)
  const violations: string[] = []
  const { nodeFaults, forgeries, staleness, latencyMs, storeFaults } = scenario
  const latency = (): number => (loop.chance(0.02) ? loop.random() * 30_000 : loop.random() * latencyMs)
  return {
    loop,
    stores: checkedAfterWrites(unwatched, topUps, chain, violations),
    chain,
    topUps,
    nodes: chainNodes(loop, chain, accounts, { faults: nodeFaults, forgeries, staleness, ...assumptions }),
    faults: { storeFaults, latency, pollMs: 2_000 },
    ids: idSource(countingBytes()),
    alerts: [],
    unexpectedErrors: [],
    violations,
  }
}

/** Checks the books after every write, and that each credit is of a solid transfer. */
function checkedAfterWrites(
  stores: Stores,
  topUps: readonly TopUpAddress[],
  chain: ForkingChain,
  violations: string[],
): Stores {
  const books = reconcile({ ...stores, now: () => someInstant }, 'tron')
  const checkBooks = async (): Promise<void> => {
    for (const { tenantId } of topUps) {
      if (!(await books(tenantId))?.balanced) violations.push(`the books of ${tenantId} do not balance`)
    }
  }
  const isSolid = (txHash: string): boolean =>
    chain.blocks.slice(0, chain.solid).some(({ transfers }) => transfers.some((each) => each.txHash === txHash))
  return {
    ...stores,
    scans: {
      ...stores.scans,
      advance: async (...args) => {
        const result = await stores.scans.advance(...args)
        await checkBooks()
        return result
      },
    },
    deposits: {
      ...stores.deposits,
      commit: async (write) => {
        const result = await stores.deposits.commit(write)
        const { status, txHash } = write.step.deposit
        if (result === 'committed' && status === 'credited' && !isSolid(txHash)) {
          violations.push(`${txHash} was credited and is not solid`)
        }
        await checkBooks()
        return result
      },
    },
  }
}

function startWorker(setup: Setup): Machine {
  const { loop, faults, nodes, stores, ids, alerts, unexpectedErrors } = setup
  const machine = simulatedMachine(loop, faults, Math.floor((loop.random() - 0.5) * 4_000))
  const reader = nodes.from(machine)
  const ports = {
    scans: machine.store(stores.scans),
    deposits: machine.store(stores.deposits),
    addresses: machine.store(stores.addresses),
    reader,
    verifier: reader,
    addressSource: testAddresses,
    format: testAddresses,
    addressMacKeys: testMacKeys,
    encodeEvent: encodeForTest,
    ids,
    now: machine.now,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  }
  const scanSettings = { leaseSeconds, readAhead: 4, blocksPerPoll: 6, firstBlock: 1 }
  const rules = { ...defaultDepositRules, verifyFrom: usdt(1_500_000n) }
  const settle = settleDeposit(ports, { rules, serviceAccounts: [serviceAccount] })
  const note = (error: unknown): void => {
    if (!(error instanceof Unavailable)) unexpectedErrors.push(error)
  }
  const polls = [
    scanHead(ports, scanSettings),
    scanSolid(ports, scanSettings),
    async () => {
      const due = await ports.deposits.claimDue(3, leaseSeconds)
      await Promise.all(due.map((each) => settle(each).catch(note)))
    },
  ]
  const repeat = async (poll: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      await poll().catch(note)
      await machine.timer(faults.pollMs * (0.5 + loop.random())).done
    }
  }
  for (const poll of polls) void repeat(poll)
  return machine
}
