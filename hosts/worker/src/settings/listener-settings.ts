import { whole } from '@quipu/runtime'
import { z } from 'zod'

/** Where probes and metrics are. Other names than the API's, so that both can share one environment. */
export const listenerSettings = {
  WORKER_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the listener of the worker’s probes and metrics binds.'),
  WORKER_PORT: whole(0, 65_535).default(4003).describe('Port of the worker’s probes and metrics; 0 picks a free one.'),
}
