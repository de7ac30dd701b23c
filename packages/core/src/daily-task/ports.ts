/** The tasks that one process of an installation does once a day. */
export const dailyTasks = ['digest', 'report_check', 'retention', 'screening_tenants'] as const
/** The name of such a task. */
export type DailyTask = (typeof dailyTasks)[number]

/** The right to do a task for a day. */
export type DailyTaskClaim = { readonly task: DailyTask; readonly fencingToken: number }

/** A day of a task, under a claim. */
export type ClaimedDay = {
  readonly claim: DailyTaskClaim
  /** `2026-11-20` */
  readonly day: string
  readonly failedAttempts: number
}

/** Which day of a task is claimed. */
export type DailyTaskQuery = {
  readonly task: DailyTask
  /** The newest day that is due, `2026-11-20`. */
  readonly day: string
  /** Days before it that are claimed first, oldest first, when they are not done and follow one that is. */
  readonly missedDays: number
  readonly leaseSeconds: number
}

/** Up to which day each task is done. Every method throws `Unavailable` when the database cannot be read or written. */
export type DailyTaskStore = {
  /** Claims the next day of a task, unless the newest or a later one is done, or a day is claimed. */
  claim(query: DailyTaskQuery): Promise<ClaimedDay | undefined>
  /** The claimed day is done; `stale` when a newer claim exists, or the claim was ended. */
  accept(claim: DailyTaskClaim): Promise<'committed' | 'stale'>
  /** Makes the day due again after `inMs`; `stale` as for `accept`. */
  retry(claim: DailyTaskClaim, inMs: number): Promise<'committed' | 'stale'>
}
