import type { RecordedProcess } from '../process/process.ts'

/** A worker that runs, with a clock like the store's. */
export const process = (of: Partial<RecordedProcess> = {}): RecordedProcess => ({
  id: 'prc_1',
  program: 'worker',
  host: 'host-1',
  aheadMs: 0,
  ageSeconds: 100,
  steadySeconds: 100,
  silentSeconds: 1,
  endedSeconds: null,
  ...of,
})
