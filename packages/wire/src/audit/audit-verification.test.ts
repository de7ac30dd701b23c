import { auditStart, type AuditVerification } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { checkpointToJson } from './audit-log.ts'
import {
  auditVerification,
  auditVerificationQuery,
  auditVerificationToJson,
  parseAuditVerification,
} from './audit-verification.ts'

const hash = '5e'.repeat(32)
const checkpoint = { id: 12n, hash, signature: 'c7'.repeat(32), at: new Date('2026-11-20T15:04:05.000Z') }
const line = JSON.stringify(checkpointToJson(checkpoint))
const verified = { id: 50_000n, hash }
const read = (parameters: Record<string, string>) => parseAuditVerification(new URLSearchParams(parameters))

test.each<[AuditVerification, string | null]>([
  [{ flaw: null, verified, isComplete: false }, `50000.${hash}`],
  [{ flaw: null, verified, isComplete: true }, null],
  [{ flaw: { id: 50_001n, detail: 'changed' }, verified, isComplete: false }, null],
])('the walk %o resumes after %s', (walk, resume) => {
  const json = auditVerificationToJson(walk, null)
  expect(auditVerification.parse(json)).toEqual(json)
  expect(json).toEqual({
    flaw: walk.flaw && { id: '50001', detail: 'changed' },
    verified: { id: '50000', hash },
    resume_after: resume,
    checkpoint: null,
  })
  if (resume !== null) expect(read({ after: resume })).toMatchObject({ value: { from: verified } })
})

test('a walk begins at the first entry, or after the position of the walk before it', () => {
  expect(read({})).toEqual({ ok: true, value: { from: auditStart, checkpoint: undefined } })
  expect(read({ after: `7.${hash}` })).toEqual({ ok: true, value: { from: { id: 7n, hash }, checkpoint: undefined } })
  expect(read({ after: `${'9'.repeat(18)}.${hash}` })).toMatchObject({ value: { from: { id: 10n ** 18n - 1n } } })
})

test.each([
  `0.${hash}`,
  `07.${hash}`,
  `${'9'.repeat(19)}.${hash}`,
  `7${hash}`,
  `7x${hash}`,
  `x7.${hash}`,
  `7.${hash}0`,
  `7.${'5E'.repeat(32)}`,
  `7.5e`,
  `a.${hash}`,
  `7a.${hash}`,
  '',
])('a walk does not begin after %j', (after) => {
  expect(issuesOf(read({ after }))).toEqual(['after must be the resume_after of the previous request'])
})

test.each([1n, 123n, 10n ** 18n - 1n])('a checkpoint may be of entry %d', (id) => {
  const signed = { ...checkpoint, id }
  expect(read({ checkpoint: JSON.stringify(checkpointToJson(signed)) })).toEqual({
    ok: true,
    value: { from: auditStart, checkpoint: signed },
  })
})

test.each([
  '',
  ` ${line}`,
  `${line} `,
  line.replace('"id":"12"', '"id":"012"'),
  line.replace('12', ''),
  line.replace('12', '0'),
  line.replace('12', '9'.repeat(19)),
  line.replace('12', '1x'),
  line.replace(hash, '5E'.repeat(32)),
  line.replace(hash, '5e'),
  line.replace(hash, `${hash}0`),
  line.replace('c7c7', 'C7C7'),
  line.replace('c7c7', 'c7'),
  line.replace('c7c7', 'c7c7c7'),
  line.replace('2026-11-20', '2026-02-30'),
  line.replace('15:04', '25:04'),
  line.replace('2026-11', '202611'),
  line.replace('2026', 'abcd'),
  line.replace('.000', ''),
  line.replace('15:04', 'ab:cd'),
  line.replace('05.000', '05.0001'),
  line.replace('"hash"', '"HASH"'),
])('a checkpoint %s is refused', (text) => {
  expect(issuesOf(read({ checkpoint: text }))).toEqual([
    'checkpoint must be the member audit_checkpoint of a log line of a worker, unchanged',
  ])
})

test('the document shows a checkpoint that a request may send', () => {
  const { examples } = auditVerificationQuery.shape.checkpoint.unwrap().meta() ?? {}
  expect(examples).toEqual([line])
})
