import 'reflect-metadata'
import type { UseCases } from '@quipu/api'
import { type Machine, simulatedMachine } from '@quipu/contracts/simulation'
import { rate, type Timer } from '@quipu/core'
import { withTimeout } from '@quipu/core/adapter'
import type { LedgerCheck } from '@quipu/core/operator'
import { fixedRate } from '@quipu/rates'
import { aesSecretBox, type PollingLoop } from '@quipu/runtime'
import { tronAddresses, tronAddressFormat, tronAddressPath } from '@quipu/tron'
import type { Chain } from '@quipu/worker'
import { type DatabaseLink, databaseLink } from '../database/database-link.ts'
import { faucetSigner } from '../world/chain.ts'
import type { Release } from '../release/release.ts'
import { sweepSettings } from '../world/sweep-chain.ts'
import { settingsOf, xpub } from '../world/settings.ts'
import type { World } from '../world/world.ts'
import { noMetrics, processSystem, type ProcessSystem } from './system.ts'

/** A running process. */
export type Process = {
  readonly name: string
  readonly machine: Machine
  readonly link: DatabaseLink
  /** The settings of its encryption keys. */
  readonly version: number
  /** Ends its loops, as a stop does; resolves when they have ended. */
  stop(): Promise<void>
}

/** An API process: the use cases that its routes call. */
export type Api = Process & {
  readonly useCases: UseCases
  /** Whether it takes requests. */
  isServing(): boolean
}

type Started = Omit<Process, 'stop'> & { readonly system: ProcessSystem; readonly release: Release }

/** The release that the next process runs: any of them, as in a rolling upgrade. */
function nextRelease(world: World): Release {
  const [first, second] = world.releases
  if (second === undefined || world.loop.chance(0.5)) return first
  world.startedBeside += 1
  return second
}

function start(world: World, program: 'api' | 'worker'): Started {
  const { loop, database, conditions } = world
  const name = `${program}-${++world.started}`
  const skewMs = Math.floor((loop.random() - 0.5) * 2 * conditions.skewMs)
  const machine = simulatedMachine(loop, world.messageMs, skewMs)
  const link = databaseLink({
    process: name,
    loop,
    database,
    machine,
    faults: world.databaseFaults,
    confirmsReads: world.plants.confirmsReads,
    confirmsReplaced: world.plants.confirmsReplaced,
    onExecuted: world.onExecuted,
  })
  // The link itself: faults change it during a run.
  const planted = Object.assign(link, { stores: world.plants.stores(link.stores) })
  const sink = { alert: world.onAlert, unexpected: world.onUnexpected }
  const system = processSystem(name, program, loop, { machine, link: planted, sink })
  return { name, machine, link: planted, version: world.version, system, release: nextRelease(world) }
}

const stopLoops = async (loops: readonly PollingLoop[]): Promise<void> => {
  await Promise.all(loops.map((each) => each.stop()))
}

/** The ledger check is SQL, which this database does not run. */
const noLedgerCheck: LedgerCheck = {
  wallets: () => Promise.resolve(0),
  ages: () => Promise.resolve({ uncheckedSeconds: 0, unrecheckedSeconds: 0 }),
  auditLog: () => Promise.resolve(null),
  credits: () => Promise.resolve([]),
}

export function startApi(world: World): Api {
  const { system, release, ...process } = start(world, 'api')
  const { machine, link } = process
  const settings = settingsOf(process.version, release)
  const chain = world.chain.from(machine)
  const { WEBHOOK_SECRET_KEY: secretKeys, ADDRESS_MAC_KEY: addressMacKeys } = settings.worker
  const { TRON_TOKEN_CONTRACT: tokenContract = '' } = settings.worker
  if (secretKeys === undefined || addressMacKeys === undefined) throw new Error('keys are set')
  const addressSource = tronAddresses(xpub)
  let isServing = false
  const inBackground = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => system.log.error({ err: error }, 'background work failed'))
  const useCases = release.composeUseCases(
    {
      stores: { ...link.stores, ping: link.ping },
      network: world.plants.network(world.network.from(machine)),
      rates: { current: machine.remote(fixedRate({ bid: rate(99_500n), now: system.now }).current) },
      topUps: { addressSource, addressMacKeys },
      faucetChain: { ...chain, signer: faucetSigner(world.chain), format: tronAddressFormat },
      sweepChain: {
        chain: chain.sweepChain,
        reader: chain.reader,
        addressSource,
        settings: sweepSettings,
        tokenContract,
        pathOf: tronAddressPath(xpub),
      },
      webhooks: {
        sender: world.receivers.from(machine),
        urlGuard: { check: () => Promise.resolve(null) },
        secretBox: aesSecretBox(secretKeys, system.random),
      },
      system: {
        now: system.now,
        ids: system.ids,
        random: system.random,
        log: system.log,
        monotonic: machine.monotonic,
        timer: machine.timer,
        inBackground,
        isServing: () => isServing,
        clockAheadMs: system.clock.aheadMs,
      },
    },
    settings.api,
    noMetrics,
  )
  void withTimeout(machine.timer, 1_000, system.compared).then(() => (isServing = true))
  const stop = (): Promise<void> => stopLoops(system.loops)
  return { ...process, useCases, isServing: () => isServing && machine.isAlive(), stop }
}

export function startWorker(world: World): Process {
  const { system, release, ...process } = start(world, 'worker')
  const { machine, link } = process
  let loops: readonly PollingLoop[] = system.loops
  let isStopped = false
  const { plants } = world
  const links = world.chain.from(machine)
  const chain: Chain = {
    ...links,
    checkReader: links.reader,
    reader: plants.chain(links.reader),
    verifier: plants.chain(world.chain.nodes.from(machine)),
    broadcaster: plants.broadcaster(links.broadcaster),
    stop: () => Promise.resolve(),
  }
  const sender = plants.sender(world.receivers.from(machine))
  const ports = {
    stores: { ...link.stores, ledgerCheck: noLedgerCheck },
    network: plants.network(world.network.from(machine)),
    chain,
    sender,
    noticeSender: sender,
  }
  void system.compared.then(() => {
    if (isStopped) return
    const { now, ids, random, log } = system
    const timer: Timer = (ms) => machine.timer(ms * world.loopPauses)
    const timing = { timer, monotonic: machine.monotonic }
    const settings = settingsOf(process.version, release).worker
    const started = release.workerLoops(ports, settings, { now, ids, random, log, timing, metrics: noMetrics })
    loops = [...loops, ...started]
  })
  const stop = (): Promise<void> => {
    isStopped = true
    return stopLoops(loops)
  }
  return { ...process, stop }
}
