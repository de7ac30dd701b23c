/** Up to which day a task is done, and the claim on the next one. */
export type DailyTaskRow = {
  day: string | null
  claimedDay: string | null
  acceptedAt: Date | null
  dueAt: Date
  failedAttempts: number
  fencingToken: number
}

export const newDailyTask = (): DailyTaskRow => ({
  day: null,
  claimedDay: null,
  acceptedAt: null,
  dueAt: new Date(0),
  failedAttempts: 0,
  fencingToken: 0,
})
