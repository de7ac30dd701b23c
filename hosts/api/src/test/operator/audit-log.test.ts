import { auditStart, signCheckpoint } from '@quipu/core/operator'
import { checkpointToJson } from '@quipu/wire'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApi, testApi } from '../harness/api.fixture.ts'
import { type Json } from '../harness/http-client.fixture.ts'

const key = Uint8Array.from({ length: 32 }, (_, n) => n)
let api: TestApi

beforeEach(async () => {
  api = await testApi({ AUDIT_CHECKPOINT_KEY: Buffer.from(key).toString('hex') })
  await api.tenant()
})
afterEach(() => api.stop())

const path = '/operator/v1/audit-log'
const verify = async (parameters: Record<string, string> = {}): Promise<Json> =>
  (await api.operator('GET', `${path}/verification?${new URLSearchParams(parameters).toString()}`)).json

test('verifies the chain, and whether it contains a checkpoint', async () => {
  const [newest] = await api.stores.audit.list({ limit: 1 })
  if (!newest) throw new Error('the log is empty')
  const verified = { id: newest.id.toString(), hash: newest.hash }
  expect(await verify()).toEqual({ flaw: null, verified, resume_after: null, checkpoint: null })

  const signed = checkpointToJson(signCheckpoint(key, newest, api.clock.now()))
  const resultOf = async (checkpoint: object) => (await verify({ checkpoint: JSON.stringify(checkpoint) })).checkpoint
  expect(await resultOf(signed)).toEqual({ contained: true, signed: true })
  const forged = { ...signed, hash: '0'.repeat(64) }
  expect(await resultOf(forged)).toEqual({ contained: false, signed: false })
  const tail = checkpointToJson(signCheckpoint(key, { id: newest.id + 1n, hash: newest.hash }, api.clock.now()))
  expect(await resultOf(tail)).toEqual({ contained: false, signed: true })
})

test('resumes after an entry, and names it when the log does not contain it', async () => {
  const [second, first] = (await api.stores.audit.list({ limit: 100 })).slice(-2)
  if (!first || !second) throw new Error('the log is too short')
  const resumed = await verify({ after: `${first.id}.${first.hash}` })
  expect(resumed).toMatchObject({ flaw: null, resume_after: null })
  expect(await verify({ after: `${second.id}.${first.hash}` })).toMatchObject({
    flaw: { id: second.id.toString(), detail: 'the entry has another hash than it had' },
    resume_after: null,
  })
  const reply = await api.operator('GET', `${path}/verification?after=${auditStart.id}`)
  expect(reply.status).toBe(400)
  for (const checkpoint of ['{}', JSON.stringify({ id: '1' }), 'x'])
    expect(
      (await api.operator('GET', `${path}/verification?${new URLSearchParams({ checkpoint }).toString()}`)).status,
    ).toBe(400)
})
