import path from 'node:path'
import { commonSettings } from '@quipu/runtime'
import { z } from 'zod'
import { portCount } from './ports.ts'

const baseMax = 65_536 - portCount
const baseRule = `must be a whole number from 1 to ${baseMax}`

const blockRule = 'must be a whole number of milliseconds from 50 to 60000'

/** Environment variables of `start` and `demo`. */
export const LocalSettings = z.object({
  QUIPU_DATA_DIR: z
    .string()
    .default('.quipu')
    .transform((folder) => path.resolve(folder))
    .describe('Data folder.'),
  QUIPU_PORT_BASE: z.coerce
    .number(baseRule)
    .int(baseRule)
    .min(1, baseRule)
    .max(baseMax, baseRule)
    .default(4000)
    .describe('First of the consecutive ports on 127.0.0.1.'),
  QUIPU_BLOCK_MS: z.coerce
    .number(blockRule)
    .int(blockRule)
    .min(50, blockRule)
    .max(60_000, blockRule)
    .default(3_000)
    .describe('Block time of the local Tron chain, in milliseconds.'),
  CELL: commonSettings.CELL,
  LOG_LEVEL: commonSettings.LOG_LEVEL,
})
