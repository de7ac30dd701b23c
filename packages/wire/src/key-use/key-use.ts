import type { KeyUse } from '@quipu/core/operator'
import { z } from 'zod'

const keys = z.array(z.object({ id: z.string(), values: z.int(), current: z.boolean() }))

/** What the keys of the environment have made. */
export const keyUse = z
  .object({
    webhook_secrets: keys.nullable().meta({
      description: 'Signing secrets by the key of `WEBHOOK_SECRET_KEY`; null without that setting.',
    }),
    address_macs: keys.nullable().meta({
      description: 'Top-up addresses by the key of `ADDRESS_MAC_KEY`; null without that setting.',
    }),
  })
  .meta({
    id: 'KeyUse',
    description:
      'An older key can be deleted from its setting once `values` is 0 or the key is missing here.',
  })
type KeysJson = z.output<typeof keys>

/** How many stored values each key of a setting has made; the current key is listed also with none. */
export const keysToJson = (currentId: string, uses: readonly KeyUse[]): KeysJson => {
  const unused = uses.some(({ keyId }) => keyId === currentId)
    ? []
    : [{ keyId: currentId, count: 0 }]
  return [...uses, ...unused].map(({ keyId, count }) => ({
    id: keyId,
    values: count,
    current: keyId === currentId,
  }))
}
