import { readFileSync } from 'node:fs'

// CPU time comes from /proc, so it is measured on Linux only. Elsewhere every value is NaN, which
// JSON writes as null.

/** Reads the CPU time that a process or group of processes has used, in µs. */
export type CpuSource = () => number

export type Usage<Name extends string = string> = {
  /** CPU time of each source, in µs. */
  readonly cpuUs: Readonly<Record<Name, number>>
  /** Idle share of the machine's CPU time, from 0 to 1. */
  readonly idle: number
}

export const isCpuMeasured: boolean = process.platform === 'linux'

/** The kernel counts in ticks of USER_HZ, which is 100 on every platform of Node. */
const tickUs = 10_000

/** This process, with all its threads. */
export const ownCpu: CpuSource = () => (isCpuMeasured ? timesOf('self').own : NaN)

/** Child processes of this process that have ended. */
export const endedChildrenCpu: CpuSource = () => (isCpuMeasured ? timesOf('self').ended : NaN)

/**
 * A process and all its descendants, running or ended.
 *
 * The kernel adds the time of a child to its parent's when the parent has waited for it. A child that
 * exits between two reads would count twice or not at all, and while one exits the list of children may
 * omit others. The reads are repeated until no child has started or exited meanwhile.
 */
export const treeCpu =
  (pid: number): CpuSource =>
  () => {
    if (!isCpuMeasured) return NaN
    for (;;) {
      const [before, children] = [timesOf(pid).ended, childrenOf(pid)]
      const running = children.reduce((sum, child) => sum + runningCpu(child), 0)
      const { own, ended } = timesOf(pid)
      const isSteady = ended === before && childrenOf(pid).join() === children.join()
      if (isSteady) return own + ended + running
    }
  }

/** Peak resident memory of a process in MB. */
export function peakRssMb(pid: number): number {
  if (!isCpuMeasured) return NaN
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

/** Starts a measurement. @returns a function that ends it */
export function startUsage<Name extends string>(sources: Readonly<Record<Name, CpuSource>>): () => Usage<Name> {
  const read = (): [Name, number][] => (Object.keys(sources) as Name[]).map((name) => [name, sources[name]()])
  const [machine, before] = [machineTicks(), new Map(read())]
  return () => {
    const used = read().map(([name, us]) => [name, us - (before.get(name) ?? 0)])
    const now = machineTicks()
    return {
      cpuUs: Object.fromEntries(used) as Record<Name, number>,
      idle: (now.idle - machine.idle) / (now.all - machine.all),
    }
  }
}

/** CPU time of each source per unit of work, in µs. */
export function perUnit<Name extends string>({ cpuUs }: Usage<Name>, count: number): Readonly<Record<Name, number>> {
  const entries = Object.entries<number>(cpuUs).map(([name, us]) => [name, us / count])
  return Object.fromEntries(entries) as Record<Name, number>
}

export const total = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0)

/** 0 for a process that has exited: its parent counts it. */
function runningCpu(pid: number): number {
  try {
    return treeCpu(pid)()
  } catch {
    return 0
  }
}

function childrenOf(pid: number): readonly number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return listed === '' ? [] : listed.split(' ').map(Number)
}

/** The time of all threads of a process, running and ended, and of the children that it has waited for. */
function timesOf(pid: number | 'self'): { readonly own: number; readonly ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name is in parentheses and may contain any character; utime is field 14.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number)
  return { own: (utime + stime) * tickUs, ended: (cutime + cstime) * tickUs }
}

function machineTicks(): { readonly idle: number; readonly all: number } {
  if (!isCpuMeasured) return { idle: NaN, all: NaN }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  // user nice system idle iowait irq softirq steal; guest time is part of user time.
  const ticks = line.split(/ +/).slice(1, 9).map(Number)
  const [, , , idle = 0, iowait = 0] = ticks
  return { idle: idle + iowait, all: ticks.reduce((sum, tick) => sum + tick, 0) }
}
