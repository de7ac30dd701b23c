/** The programs whose processes are recorded. */
export const processPrograms = ['api', 'worker'] as const
/** A program that runs in any number of processes. */
export type ProcessProgram = (typeof processPrograms)[number]

/** A process of the service, as it records itself. */
export type ServiceProcess = {
  /** `prc_` and a ULID, new at each start. */
  readonly id: string
  readonly program: ProcessProgram
  /** The name of its machine. */
  readonly host: string
  /** Whole milliseconds that its clock is ahead of the store's; negative when it is behind. */
  readonly aheadMs: number
}

/** A recorded process. Ages are by the store's clock. */
export type RecordedProcess = ServiceProcess & {
  /** Since its first heartbeat. */
  readonly ageSeconds: number
  /** Since its first heartbeat of an uninterrupted series (`heartbeatGapSeconds`). */
  readonly steadySeconds: number
  /** Since its newest heartbeat. */
  readonly silentSeconds: number
}

/** How often a process records itself. @source assumed */
export const heartbeatSeconds = 5

/** A longer pause between two heartbeats of a process interrupts their series. @source assumed */
export const heartbeatGapSeconds = 15

/** Which processes run, and which are missing. */
export type ProcessRoll = {
  readonly running: readonly RecordedProcess[]
  readonly missing: readonly RecordedProcess[]
  /** For how long a process has recorded heartbeats without a pause: a longer silence of others shows nothing. */
  readonly observedSeconds: number
}

/**
 * Sorts recorded processes into those that run and those that are missing: silent for more than `missingSeconds`
 * while another process recorded its heartbeats, and not replaced. So an outage of the store makes no process
 * missing. Each process that started later replaces one of the same program, also if it has ended meanwhile: one
 * that ends several times in a row is missing only until its last replacement.
 */
export function rollOf(processes: readonly RecordedProcess[], missingSeconds: number): ProcessRoll {
  const running = processes.filter(({ silentSeconds }) => silentSeconds <= missingSeconds)
  const observedSeconds = Math.max(0, ...running.map(({ steadySeconds }) => steadySeconds))
  const silent = processes
    .filter(({ silentSeconds }) => Math.min(silentSeconds, observedSeconds) > missingSeconds)
    .toSorted((a, b) => b.silentSeconds - a.silentSeconds)
  // The earliest silence takes the earliest start after it, which leaves most to later ones.
  const replacing = processes.toSorted((a, b) => b.ageSeconds - a.ageSeconds)
  const missing = silent.filter(({ program, silentSeconds }) => {
    const found = replacing.findIndex(
      (each) => each.program === program && each.ageSeconds < silentSeconds,
    )
    if (found >= 0) replacing.splice(found, 1)
    return found < 0
  })
  return { running, missing, observedSeconds }
}
