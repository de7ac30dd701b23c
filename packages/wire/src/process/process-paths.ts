import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { processesToJson, processList } from './process.ts'

const ages = { ageSeconds: 86_000, steadySeconds: 86_000, silentSeconds: 2, endedSeconds: null }

const list = operation({
  id: 'listProcesses',
  tag: 'Processes',
  summary: 'List the processes of API and worker',
  description: 'A process that has stopped is not listed; one that ended without a stop is, for some time.',
  access: 'operator',
  answers: ok('The processes, by program.', processList, {
    two: processesToJson([
      { id: 'prc_01KJKB3Q000000000000000001', program: 'api', host: 'api-1', aheadMs: 3, ...ages },
      { id: 'prc_01KJKB3Q000000000000000002', program: 'worker', host: 'worker-1', aheadMs: -12, ...ages },
    ]),
  }),
  refused: parseNoQuery('program=api'),
})

export const processPaths: ZodOpenApiPathsObject = { '/operator/v1/processes': { get: list } }
