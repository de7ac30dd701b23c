import { sha256 } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { exactFingerprint } from './fingerprint.ts'
import type { Parsed } from './parsed.ts'
import { parseRepeatable } from './repeatable.ts'

const path = '/operator/v1/operator-tokens'
const body: Parsed<string> = { ok: true, value: 'a body' }
const json = { label: 'laptop' }

test('a request without a key has its body only', () => {
  expect(parseRepeatable(body, { json, path })).toEqual({ ok: true, value: { body: 'a body' } })
})

test('a request with a key has the digests of the key, and of path and body', () => {
  expect(parseRepeatable(body, { json, path, key: 'once' })).toEqual({
    ok: true,
    value: { body: 'a body', request: { key: sha256('once'), fingerprint: exactFingerprint({ path, body: json }) } },
  })
})

test('another path or body with the same key is another request; no body is null', () => {
  const digestOf = (at: string, sent: unknown) => {
    const parsed = parseRepeatable(body, { json: sent, path: at, key: 'once' })
    return parsed.ok && parsed.value.request?.fingerprint
  }
  expect(digestOf(path, json)).not.toBe(digestOf(`${path}/1`, json))
  expect(digestOf(path, json)).not.toBe(digestOf(path, {}))
  expect(digestOf(path, undefined)).toBe(exactFingerprint({ path, body: null }))
})

test('faults of the key and of the body are answered together, those of the key first', () => {
  const issues = [{ field: 'label', message: 'is required' }]
  const faulty = { ok: false, issues } as const
  const ofKey = { field: 'Idempotency-Key', message: 'must not be empty' }
  expect(parseRepeatable(faulty, { json, path })).toEqual({ ok: false, issues })
  expect(parseRepeatable(faulty, { json, path, key: 'once' })).toEqual({ ok: false, issues })
  expect(parseRepeatable(body, { json, path, key: '' })).toEqual({ ok: false, issues: [ofKey] })
  expect(parseRepeatable(faulty, { json, path, key: '' })).toEqual({ ok: false, issues: [ofKey, ...issues] })
})
