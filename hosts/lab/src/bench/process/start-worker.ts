import { type Child, startChild } from './child.ts'
import { secretKey } from '../data/endpoints.ts'

/** As in production: `docs/operations/deployment.md` has the reasons. */
const flags = ['--no-memory-reducer', '--max-semi-space-size=32', '--no-allocation-site-pretenuring']

/** Starts a worker in its own process. */
export const startWorkerProcess = (databaseUrl: string): Promise<Child<string>> =>
  startChild('worker-process', [databaseUrl, secretKey], flags)
