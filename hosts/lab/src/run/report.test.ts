import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mustBeZero, publish } from './report.ts'
import { temporaryFolder } from './temporary-folder.ts'

test('a report is a file, tables and failures, and a last line of JSON', async () => {
  await using folder = await temporaryFolder('report-test')
  const lines: string[] = []
  const report = {
    result: { errors: 2, cpu: NaN },
    failures: ['errors must be 0'],
    tables: [{ columns: ['fault', 'times'], rows: [['clock', 3]] }],
  }
  const out = path.join(folder.path, 'reports')
  const options = { seconds: 6 }
  await publish(report, { subject: 'bench:flow', out, options, say: (line) => void lines.push(line) })
  const file = path.join(out, 'bench-flow.json')
  expect(lines).toEqual([
    '| fault | times |',
    '|-|-|',
    '| clock | 3 |',
    '',
    '✗ errors must be 0',
    `The report is ${file}.`,
    '{"errors":2,"cpu":null,"failures":1}',
  ])
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    subject: 'bench:flow',
    options,
    failures: report.failures,
  })
})

test('a member that must be 0 and is not is a failure', () => {
  expect(mustBeZero({ errors: 0, timed_out: [] }, ['errors', 'timed_out'])).toEqual([])
  expect(mustBeZero({ errors: 2, timed_out: ['read'] }, ['errors', 'timed_out', 'missed'])).toEqual([
    'errors must be 0, and is 2',
    'timed_out must be 0, and is ["read"]',
    'missed must be 0, and is undefined',
  ])
})
