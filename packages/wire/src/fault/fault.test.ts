import { expect, test } from 'vitest'
import { faultList, faultsToJson } from './fault.ts'

test('lists faults with the code of their alert, their subject and their detail', () => {
  const faults = [
    { code: 'NO_WORKER', subject: 'worker', detail: 'No worker runs.' },
    { code: 'SCAN_BEHIND', subject: 'tron head', detail: 'The newest block is old.' },
  ] as const
  const json = faultsToJson(faults)
  expect(json).toEqual({ data: faults })
  expect(faultList.parse(json)).toEqual(json)
  expect(faultList.safeParse({ data: [{ ...faults[0], code: 'OTHER' }] }).success).toBe(false)
})
