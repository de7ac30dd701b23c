import { defaultFaultLimits } from '@quipu/core/operator'
import { whole } from './settings.ts'

/** The variable of the processes that count those that are missing. */
export const processFaultSettings = {
  PROCESS_MISSING_SECONDS: whole(15, 3_600)
    .default(defaultFaultLimits.processMissingSeconds)
    .describe('Silence after which a process is missing; also how long no worker may run.'),
}
