import type { KeyRing, NamedKey } from '@quipu/core'
import { z } from 'zod'

const keyPattern = /^(?:([a-z0-9-]{1,16}):)?([0-9a-f]{64})$/i

/**
 * A variable with the keys of one purpose, the current one first: `2:<64 hex digits>,1:<64 hex digits>`. A
 * key without an id has the id `1`.
 *
 * @param purpose  such as `the keys that encrypt signing secrets`
 */
export const keyRing = (purpose: string): z.ZodType<KeyRing, string> =>
  z.string().transform((text, context): KeyRing => {
    const [current, ...older] = text.split(',').map(namedKey)
    const ids = new Set([current, ...older].map((key) => key?.id))
    if (current && ids.size === older.length + 1 && older.every((key) => key !== undefined)) return [current, ...older]
    context.addIssue({
      code: 'custom',
      message: `must be ${purpose}, the current one first: each 64 hex digits, from the second one on with ids of their own, such as 2:…,1:…`,
    })
    return z.NEVER
  })

function namedKey(text: string): NamedKey | undefined {
  const [, id = '1', hex] = keyPattern.exec(text.trim()) ?? []
  if (hex === undefined) return undefined
  return { id: id.toLowerCase(), key: Uint8Array.from(Buffer.from(hex, 'hex')) }
}
