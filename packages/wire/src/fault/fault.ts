import { type Fault, faultCodes } from '@quipu/core/operator'
import { z } from 'zod'

const fault = z.object({
  code: z.enum(faultCodes).meta({ description: 'The code of its alert.' }),
  subject: z.string().meta({ description: 'The id of a process, a source of the rate, a scan, …' }),
  detail: z.string(),
})
export type FaultJson = z.output<typeof fault>

/** The present faults. */
export const faultList = z
  .object({ data: z.array(fault) })
  .meta({ id: 'Faults', description: 'As the process that answers finds them now.' })
export type FaultListJson = z.output<typeof faultList>

export const faultsToJson = (faults: readonly Fault[]): FaultListJson => ({
  data: faults.map(({ code, subject, detail }) => ({ code, subject, detail })),
})
