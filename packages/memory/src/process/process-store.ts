import { heartbeatGapSeconds, processForgottenSeconds, type ProcessStore } from '@quipu/core/operator'
import type { Database } from '../table/database.ts'

export const memoryProcessStore = (database: Database): ProcessStore => ({
  beat: async (process) => {
    const { processes } = database
    const at = database.now()
    const before = processes.get(process.id)
    const isSteady = before && seconds(before.seenAt, at) <= heartbeatGapSeconds
    processes.set(process.id, {
      process,
      firstAt: before?.firstAt ?? at,
      steadyAt: isSteady ? before.steadyAt : at,
      seenAt: at,
      endedAt: before?.endedAt ?? null,
    })
    for (const [id, { seenAt }] of processes) if (seconds(seenAt, at) > processForgottenSeconds) processes.delete(id)
  },
  end: async (id) => {
    const row = database.processes.get(id)
    if (row) database.processes.set(id, { ...row, endedAt: row.endedAt ?? database.now() })
  },
  list: async () => {
    const at = database.now()
    return Array.from(database.processes.values())
      .map(({ process, firstAt, steadyAt, seenAt, endedAt }) => ({
        ...process,
        ageSeconds: seconds(firstAt, at),
        steadySeconds: seconds(steadyAt, at),
        silentSeconds: seconds(seenAt, at),
        endedSeconds: endedAt && seconds(endedAt, at),
      }))
      .toSorted((a, b) => (a.program < b.program ? -1 : Number(a.program > b.program)))
  },
})

const seconds = (from: Date, to: Date): number => Math.max(0, (to.getTime() - from.getTime()) / 1000)
