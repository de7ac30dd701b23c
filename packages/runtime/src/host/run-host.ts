import type { z } from 'zod'
import { jsonLog, type Logger, type logLevels } from '../log/log.ts'
import { type LostSpans, noLostSpans } from '../metrics/trace-metrics.ts'
import { BadSettings, readSettings } from '../settings/settings.ts'
import { stopSignal } from '../process/stop.ts'

export type HostProgram<Settings> = {
  readonly schema: z.ZodType<Settings>
  /**
   * Checks what the settings name before the host starts. `refusedLater` never resolves, and rejects
   * when a check that could not be made at the start fails later.
   */
  readonly check: (settings: Settings) => Promise<{ readonly refusedLater: Promise<never> }>
  /** Begins to export traces before the host starts. `stop` sends the last ones, for at most `ms`. */
  readonly traces?: (settings: Settings, log: Logger) => Promise<{ stop(ms: number): Promise<void>; lost(): LostSpans }>
  /** @param lostSpans  what the export has lost up to now */
  readonly start: (settings: Settings, log: Logger, lostSpans: () => LostSpans) => Promise<RunningHost> | RunningHost
  /** Errors of `check` that end the process with their message instead of a stack. */
  readonly refusals: readonly (new (...parameters: never[]) => Error)[]
}

/** How much longer a stop takes when the collector does not answer. */
const flushTracesMs = 2_000

export type RunningHost = { stop(): Promise<void> }

/**
 * Runs a host until SIGINT or SIGTERM, and ends the process. A host that is still starting starts first, and
 * stops in order; a second signal ends the process at once.
 *
 * Unusable settings and refusals end it with status 1 and one message on stderr.
 */
export async function runHost<Settings extends { readonly LOG_LEVEL: (typeof logLevels)[number] }>(
  program: HostProgram<Settings>,
): Promise<void> {
  try {
    const settings = readSettings(program.schema, process.env)
    const { refusedLater } = await program.check(settings)
    const log = jsonLog(settings.LOG_LEVEL)
    // Before the start: what the start writes may be the reason to stop, and an unhandled signal cuts requests off.
    const stopping = stopSignal()
    const traces = await program.traces?.(settings, log)
    const host = await program.start(settings, log, traces?.lost ?? noLostSpans)
    try {
      await Promise.race([stopping, refusedLater])
    } finally {
      await host.stop()
      await traces?.stop(flushTracesMs)
    }
    process.exit() // A call that was cut off would keep the process alive until its own deadline.
  } catch (error) {
    const isRefusal = [BadSettings, ...program.refusals].some((type) => error instanceof type)
    if (!(error instanceof Error && isRefusal)) throw error
    // A check may still be running: the process ends without it.
    process.stderr.write(`${error.message}\n`, () => process.exit(1))
  }
}
