import type { Timer } from '@quipu/core'
import { balanceCheckSeconds } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** One poll of a pass over all rows takes minutes in a large installation. */
export const passHaltedAfterMs = hourMs

export type PeriodicTask = (task: () => Promise<unknown>, timer: Timer, report: (error: unknown) => void) => PollingLoop

/** Runs a task immediately, then `pauseMs` after each run. */
export const every =
  (pauseMs: number): PeriodicTask =>
  (task, timer, report) =>
    pollingLoop(
      () =>
        task().then(
          () => pauseMs,
          (error: unknown) => {
            report(error)
            return minuteMs
          },
        ),
      timer,
    )

/** Without a month's partition its rows go to the default one. */
export const createPartitions: PeriodicTask = every(dayMs)

/** Without a new checkpoint a ledger check sums more postings. */
export const addCheckpoints: PeriodicTask = every(hourMs)

/** An older checkpoint exposes less: it shows nothing of the entries after it. */
export const writeAuditCheckpoints: PeriodicTask = every(hourMs)

/** Asks whether the task of a day is due. */
export const daily: PeriodicTask = every(minuteMs)

/** The text of `PATCH /v1/wallets` states it. */
export const compareBalances: PeriodicTask = every(balanceCheckSeconds * 1000)

/** A case of an outage stays open for a minute after it. */
export const endScreeningOutages: PeriodicTask = every(minuteMs)

/** An older key must stay in the ring for as long as it is in use. */
export const renewByCurrentKey: PeriodicTask = every(hourMs)
