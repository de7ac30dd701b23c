import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'

const hash = '5e'.repeat(32)
const newest = { status: 200, body: { data: [{ id: '90000' }], next_cursor: null } }
const slice = (id: string, rest: object = {}) => ({
  status: 200,
  body: { flaw: null, verified: { id, hash }, resume_after: null, checkpoint: null, ...rest },
})
const checkpoint = { id: '12', hash, at: '2026-11-20T15:04:05.000Z', signature: 'c7'.repeat(32) }
const line = JSON.stringify({ level: 'info', audit_checkpoint: checkpoint, msg: 'audit checkpoint' })

test('follows the slices to the newest entry, with a bar on a terminal', async () => {
  const first = slice('50000', { resume_after: `50000.${hash}` })
  await using server = await apiServer(newest, first, slice('90000'))
  const { code, out, error } = await admin(['audit', 'verify'], { env: server.env, showsProgress: true })
  expect({ code, out }).toEqual({ code: 0, out: 'Every entry up to 90000 is as it was written.\n' })
  expect(error).toContain('[#############           ] 55 %')
  expect(server.received.map((each) => each.path)).toEqual([
    '/operator/v1/audit-log?limit=1',
    '/operator/v1/audit-log/verification',
    `/operator/v1/audit-log/verification?after=50000.${hash}`,
  ])
})

test('names the first faulty entry', async () => {
  const flaw = { id: '7', detail: 'its hash does not match' }
  await using server = await apiServer(newest, slice('6', { flaw }))
  const { code, error } = await admin(['audit', 'verify'], { env: server.env })
  expect(code).toBe(1)
  expect(error).toMatch(/^Entry 7: its hash does not match\nTreat it as a break-in/)
})

test('compares a checkpoint of a log line, or the last one of a file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-admin-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'worker.log')
  await writeFile(file, `{"msg":"other"}\nno JSON\n${line}\n`)
  for (const given of [line, JSON.stringify(checkpoint), `@${file}`]) {
    const found = slice('90000', { checkpoint: { contained: true, signed: true } })
    await using server = await apiServer(newest, found)
    const args = ['audit', 'verify', '--checkpoint', given]
    const { code, out } = await admin(args, { env: server.env })
    expect(code).toBe(0)
    expect(out).toContain('The log has the entry of the checkpoint; signed.')
    const query = new URL(server.received[1]?.path ?? '', server.url).searchParams
    expect(query.get('checkpoint')).toBe(JSON.stringify(checkpoint))
  }
})

test.each([
  [{ contained: false, signed: true }, 'The log does not have the entry of the checkpoint.'],
  [{ contained: true, signed: false }, 'AUDIT_CHECKPOINT_KEY did not sign the checkpoint.'],
])('a checkpoint that is %j is a fault', async (result, message) => {
  await using server = await apiServer(newest, slice('90000', { checkpoint: result }))
  const args = ['audit', 'verify', '--checkpoint', line]
  const { code, error } = await admin(args, { env: server.env })
  expect(code).toBe(1)
  expect(error).toContain(message)
})

test('a line without a checkpoint is a wrong command line', async () => {
  const { code } = await admin(['audit', 'verify', '--checkpoint', '{"msg":"other"}'])
  expect(code).toBe(2)
})
