import { type Child, startChild } from './child.ts'
import { secretKey } from '../data/endpoints.ts'

/** As in production, for the reasons that are told in `docs/operations.md`. */
const flags = [
  '--no-memory-reducer',
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
]

/** A worker in a process of its own. */
export const startWorkerProcess = (databaseUrl: string): Promise<Child<string>> =>
  startChild('worker-process', [databaseUrl, secretKey], flags)
