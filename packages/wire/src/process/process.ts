import { heartbeatSeconds, processPrograms, type RecordedProcess } from '@quipu/core/operator'
import { z } from 'zod'

const seconds = z.int().min(0)

/** The processes of the service. */
export const processList = z
  .object({
    data: z.array(
      z.object({
        id: z.string().meta({ description: '`prc_` and a ULID, new at each start.' }),
        program: z.enum(processPrograms),
        host: z.string(),
        clock_ahead_ms: z.int().meta({ description: 'Its clock before the database’s, at its newest heartbeat.' }),
        age_seconds: seconds.meta({ description: 'Since its first heartbeat.' }),
        silent_seconds: seconds.meta({
          description: `Since its newest heartbeat; a process that runs has one every ${heartbeatSeconds} seconds.`,
        }),
      }),
    ),
  })
  .meta({ id: 'Processes', description: 'Ages are by the database’s clock, rounded down.' })
export type ProcessListJson = z.output<typeof processList>

export const processesToJson = (processes: readonly RecordedProcess[]): ProcessListJson => ({
  data: processes.map(({ id, program, host, aheadMs, ageSeconds, silentSeconds }) => ({
    id,
    program,
    host,
    clock_ahead_ms: aheadMs,
    age_seconds: Math.floor(ageSeconds),
    silent_seconds: Math.floor(silentSeconds),
  })),
})
