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
  /** Since its stop in order; null while it has not stopped. */
  readonly endedSeconds: number | null
}

/** How often a process records itself. */
export const heartbeatSeconds = 5

/** A longer pause between two heartbeats of a process interrupts their series. */
export const heartbeatGapSeconds = 10

/** A process that has been silent for this long is forgotten. */
export const processForgottenSeconds = 86_400

/** Which processes run, and which are missing. */
export type ProcessRoll = {
  readonly running: readonly RecordedProcess[]
  readonly missing: readonly RecordedProcess[]
  /** For how long a process has recorded heartbeats without a pause: a longer silence of others shows nothing. */
  readonly observedSeconds: number
  /** For how long it was seen that no worker runs; 0 while one does. */
  readonly workerlessSeconds: number
}

/**
 * Sorts recorded processes into those that run and those that are missing: silent for more than `missingSeconds`
 * while another process recorded its heartbeats, and not replaced. So an outage of the store makes no process
 * missing, neither while it accepts no writes nor after it. Each process that started later replaces one of the same
 * program, also if it has ended or stopped meanwhile: one that ends several times in a row is missing only until its last
 * replacement.
 */
export function rollOf(processes: readonly RecordedProcess[], missingSeconds: number): ProcessRoll {
  const live = processes.filter(({ endedSeconds }) => endedSeconds === null)
  const running = live.filter(({ silentSeconds }) => silentSeconds <= missingSeconds)
  const observedSeconds = Math.max(0, ...running.map(({ steadySeconds }) => steadySeconds))
  // Longer than a heartbeat takes, nobody has recorded one: the store accepted none.
  const newest = live.length === 0 ? 0 : Math.min(...silencesOf(live))
  const outage = Math.max(0, newest - heartbeatSeconds)
  const absence = (seconds: number): number => Math.min(seconds - outage, observedSeconds)
  const silent = live
    .filter(({ silentSeconds }) => absence(silentSeconds) > missingSeconds)
    .toSorted((a, b) => b.silentSeconds - a.silentSeconds)
  // The earliest silence takes the earliest start after it, which leaves most to later ones.
  const replacing = processes.toSorted((a, b) => b.ageSeconds - a.ageSeconds)
  const missing = silent.filter(({ program, silentSeconds }) => {
    const found = replacing.findIndex((each) => each.program === program && each.ageSeconds < silentSeconds)
    if (found >= 0) replacing.splice(found, 1)
    return found < 0
  })
  const workers = processes.filter(({ program }) => program === 'worker')
  const workerlessSeconds = running.some(({ program }) => program === 'worker')
    ? 0
    : Math.max(0, absence(Math.min(...silencesOf(workers))))
  return { running, missing, observedSeconds, workerlessSeconds }
}

/** Since when each was last there. */
const silencesOf = (processes: readonly RecordedProcess[]): readonly number[] =>
  processes.map(({ silentSeconds, endedSeconds }) => endedSeconds ?? silentSeconds)
