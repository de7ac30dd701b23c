import { auditStart, type LedgerAges, type LedgerCheck } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'
import type { RecordWork } from '../loop/work-log.ts'

export type LedgerWatchPorts = LoopTiming & {
  readonly check: LedgerCheck
  readonly record: RecordWork
  readonly countWallets: (wallets: number) => void
}

export type LedgerWatchSettings = {
  /** A wallet is checked again this long after its last check. */
  readonly everySeconds: number
}

const sliceMax = { wallets: 100, postings: 1_000 }
const auditEntries = 100
/** A slice that the database does not finish in time, as its rows are on disk, is repeated with half the size. */
const halvingsMax = 6
/** As many times as long as a slice takes: the check uses a small part of the time. */
const restPerWorkMax = 9
const [hurriedFrom, restlessFrom] = [12 * 3_600, 18 * 3_600]
const agesEveryMs = 1_000
const [pauseMinMs, idleMs] = [20, 1_000]
const pauseAfterFailureMs = 5_000

/**
 * How long to rest for each millisecond of a slice, by the age of what was checked longest ago. From half a day on
 * the check rests less, and not at all from 18 hours on, so that it goes through everything within a day.
 */
export function restPerWork({ uncheckedSeconds, unrecheckedSeconds }: LedgerAges): number {
  const oldest = Math.max(uncheckedSeconds, unrecheckedSeconds)
  const left = (restlessFrom - oldest) / (restlessFrom - hurriedFrom)
  return restPerWorkMax * Math.min(1, Math.max(0, left))
}

/** The size of a slice after this number of failures, less the successes since. */
const sliceAfter = (halvings: number) => ({
  wallets: Math.ceil(sliceMax.wallets / 2 ** halvings),
  postings: Math.ceil(sliceMax.postings / 2 ** halvings),
})

/**
 * Checks the ledger slice by slice until it is stopped. The check records what it finds (`raiseDifferences` alerts it).
 */
export function ledgerWatch(ports: LedgerWatchPorts, { everySeconds }: LedgerWatchSettings): PollingLoop {
  const { check, timer, monotonic, record, countWallets } = ports
  let lastAuditEntry = auditStart
  let halvings = 0
  let pace = { rest: restPerWorkMax, readAt: -agesEveryMs }

  const restNow = async (): Promise<number> => {
    const now = monotonic()
    if (now - pace.readAt >= agesEveryMs) pace = { rest: restPerWork(await check.ages()), readAt: now }
    return pace.rest
  }
  const checkSlice = async (): Promise<number> => {
    const startedAt = monotonic()
    const slice = sliceAfter(halvings)
    const checked = await check.wallets({ ...slice, everySeconds })
    halvings = Math.max(0, halvings - 1)
    lastAuditEntry = (await check.auditLog(lastAuditEntry, auditEntries)) ?? auditStart
    const workMs = monotonic() - startedAt
    countWallets(checked)
    record({
      unit: 'ledger_slice',
      result: 'done',
      startedAt,
      level: 'debug',
      about: { wallets: checked },
      message: 'ledger slice checked; the next one follows',
    })
    const rest = await restNow()
    const isIdle = checked < slice.wallets
    return Math.max(pauseMinMs, workMs * rest, isIdle ? (idleMs * rest) / restPerWorkMax : 0)
  }
  const poll = (): Promise<number> => {
    const startedAt = monotonic()
    return checkSlice().catch((error: unknown) => {
      halvings = Math.min(halvingsMax, halvings + 1)
      record({
        unit: 'ledger_slice',
        result: 'error',
        startedAt,
        level: 'error',
        about: { err: error },
        message: `ledger check failed; retrying in ${pauseAfterFailureMs / 1_000} s with a smaller slice`,
      })
      return pauseAfterFailureMs
    })
  }
  return pollingLoop(poll, timer)
}
