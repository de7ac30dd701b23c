import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { faultList, faultsToJson } from './fault.ts'

const list = operation({
  id: 'listFaults',
  tag: 'Faults',
  summary: 'List what does not work now',
  description:
    'Missing processes, clocks, checks and scans that have halted, notices that wait, and sources of the rate that fail or disagree. What rows record is among the differences, or in a list of its own. A fault is alerted once it has lasted as long as the settings of the API say.',
  access: 'operator',
  answers: ok('The faults; none is good.', faultList, {
    faults: faultsToJson([
      { code: 'SCAN_BEHIND', subject: 'tron solid', detail: 'the newest scanned block is 412 s old' },
    ]),
  }),
  refused: parseNoQuery('status=open'),
})

export const faultPaths: ZodOpenApiPathsObject = { '/operator/v1/faults': { get: list } }
