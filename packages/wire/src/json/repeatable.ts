import { sha256 } from '@quipu/core/adapter'
import type { OperatorRequest } from '@quipu/core/operator'
import { z } from 'zod'
import { matching } from './fields.ts'
import { exactFingerprint } from './fingerprint.ts'
import { parse, type Parsed } from './parsed.ts'

/** Names a request that may be sent again. @source spec §4: any string */
export const idempotencyKey: z.ZodString = matching(/^[\s\S]+$/, 'must not be empty').meta({
  description: 'Any text that is unique to a request, such as a UUID. A retry sends the same.',
  minLength: 1,
  examples: ['7f3c1f0a-5b1e-4c61-9f6c-0d9f6f1f2b11'],
})

/** The headers of a request that may be sent again. */
export const repeatableHeaders = z.object({ 'Idempotency-Key': idempotencyKey.optional() })

/** The addition to the description of such an operation. */
export const repeatableText =
  'With an `Idempotency-Key`, the same request of the same operator creates nothing again: it answers what the first one created, in its present state, with `Idempotent-Replayed: true`.'

/** A parsed body, and the request's key if it has one. */
export type Repeatable<Body> = { readonly body: Body; readonly request?: OperatorRequest }

/** Reads a request that may be sent again. `key`: its header `Idempotency-Key`, if it has one. */
export function parseRepeatable<Body>(
  body: Parsed<Body>,
  { json, path, key }: { readonly json: unknown; readonly path: string; readonly key?: string },
): Parsed<Repeatable<Body>> {
  const headers = parse(repeatableHeaders, { 'Idempotency-Key': key })
  if (!body.ok || !headers.ok)
    return { ok: false, issues: [headers, body].flatMap((read) => (read.ok ? [] : read.issues)) }
  if (key === undefined) return { ok: true, value: { body: body.value } }
  // The index stores the digest, since the length of a key is not limited.
  const request = { key: sha256(key), fingerprint: exactFingerprint({ path, body: json ?? null }) }
  return { ok: true, value: { body: body.value, request } }
}
