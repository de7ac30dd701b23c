import { allProcesses, allRunAt, type Fleet, replaceApi, replaceWorker } from '../process/fleet.ts'
import type { Process } from '../process/processes.ts'
import { type Fault, type FaultKind, faultyMs } from '../scenario/scenario.ts'
import { lastVersion } from '../world/settings.ts'
import type { World } from '../world/world.ts'
import type { Statistics } from '../statistics.ts'

type Inject = (world: World, fleet: Fleet, fault: Fault, statistics: Statistics) => void

/** Faults of which one begins within this time of the other are a pair. */
const pairMs = 20_000

/** Schedules the scenario's faults, and counts those that happened and their pairs. */
export function inject(world: World, fleet: Fleet, statistics: Statistics): void {
  const { loop, scenario } = world
  const happened: Fault[] = []
  for (const fault of scenario.faults)
    loop.after(fault.at, () => {
      statistics.count(`fault ${fault.kind}`)
      for (const other of happened)
        if (fault.at - other.at <= pairMs) statistics.count(`pair ${[fault.kind, other.kind].toSorted().join(' + ')}`)
      happened.push(fault)
      injections[fault.kind](world, fleet, fault, statistics)
    })
}

/** The longest time until a new primary has a standby that has caught up. */
const longestCatchUpMs = 15_000

const processOf = (fleet: Fleet, { target }: Fault): Process | undefined => {
  const all = allProcesses(fleet)
  return all[target % all.length]
}

/** Sets something for the length of the fault, at most until faults end. */
function forAWhile(world: World, { at, ms }: Fault, begin: () => void, end: () => void): void {
  begin()
  world.loop.after(Math.min(ms, Math.max(0, faultyMs - at)), end)
}

const injections: Readonly<Record<FaultKind, Inject>> = {
  crash_api: (world, fleet, { target }) => replaceApi(world, fleet, target),
  crash_worker: (world, fleet, { target }) => replaceWorker(world, fleet, target, true),
  restart_worker: (world, fleet, { target }) => replaceWorker(world, fleet, target, false),
  pause_api: (_, { apis }, { target, ms }) => apis[target % apis.length]?.machine.pause(ms),
  pause_worker: (_, { workers }, { target, ms }) => workers[target % workers.length]?.machine.pause(ms),
  move_clock: (world, fleet, fault) => {
    const direction = world.loop.chance(0.5) ? 1 : -1
    processOf(fleet, fault)?.machine.moveClock(direction * fault.ms * 10)
  },
  cut_database: ({ loop }, fleet, fault) => {
    const process = processOf(fleet, fault)
    if (process) process.link.cutUntilMs = loop.now().getTime() + fault.ms
  },
  crash_database: ({ database }, _, { ms }) => database.crash(Math.min(ms, 3_000)),
  fail_over: failOver,
  stall_standby: (world, _, fault) =>
    forAWhile(world, fault, world.database.stallStandby, world.database.resumeStandby),
  slow_disk: (world, _, fault) => {
    const { databaseFaults, loop } = world
    const diskMs = (): number => (loop.chance(0.2) ? loop.random() * 9_000 : loop.random() * 300)
    forAWhile(
      world,
      fault,
      () => (databaseFaults.diskMs = diskMs),
      () => (databaseFaults.diskMs = () => 0),
    )
  },
  full_disk: (world, _, fault) => {
    const { databaseFaults } = world
    forAWhile(
      world,
      fault,
      () => (databaseFaults.isFull = true),
      () => (databaseFaults.isFull = false),
    )
  },
  network_outage: (world, _, fault) => {
    const { network } = world
    forAWhile(
      world,
      fault,
      () => (network.isDown = true),
      () => (network.isDown = false),
    )
  },
  chain_outage: (world, _, fault) => {
    const { nodes } = world.chain
    const { faults } = nodes
    forAWhile(
      world,
      fault,
      () => (nodes.faults = 1),
      () => (nodes.faults = faults),
    )
  },
  receiver_outage: (world, _, fault) => {
    const { receivers } = world
    forAWhile(
      world,
      fault,
      () => (receivers.isDown = true),
      () => (receivers.isDown = false),
    )
  },
  rotate_encryption_keys: rotateEncryptionKeys,
}

/** By half of its targets the old primary goes on answering, to the sessions that processes have with it. */
function failOver({ database, loop }: World, fleet: Fleet, { ms, target, at }: Fault, statistics: Statistics): void {
  const isAnswering = target % 2 === 1
  const { promotions } = database.failOver({
    downMs: Math.min(ms, 8_000),
    offsetMs: Math.floor((loop.random() - 0.5) * 3_000),
    answeringMs: isAnswering ? Math.min(ms + 8_000, faultyMs - at) : 0,
    catchUpMs: Math.floor(loop.random() * longestCatchUpMs),
  })
  if (promotions === undefined) return statistics.count('database fail-over without a standby that has caught up')
  if (promotions > 1) statistics.count('database fail-over after another one')
  if (!isAnswering) return
  statistics.count('database fail-over with an old primary that answers')
  for (const { link } of allProcesses(fleet)) link.replacedShare = loop.pick([0, 0.3, 1])
}

/** The next step of a rotation begins once no process runs at the last one; processes restart one after the other. */
function rotateEncryptionKeys(world: World, fleet: Fleet): void {
  const { loop, version } = world
  if (version === lastVersion || !allRunAt(fleet, version)) return
  world.version += 1
  for (const target of fleet.apis.keys()) loop.after(loop.random() * 20_000, () => replaceApi(world, fleet, target))
  for (const target of fleet.workers.keys())
    loop.after(loop.random() * 20_000, () => replaceWorker(world, fleet, target, false))
}
