import type { KeyUse } from '@quipu/core/operator'
import { z } from 'zod'

const keys = z.array(
  z.object({
    id: z.string(),
    values: z.int().meta({ description: 'How many stored values it has made.' }),
    current: z.boolean().meta({ description: 'Whether it makes every new value.' }),
    configured: z
      .boolean()
      .meta({
        description:
          'Whether the setting of the process that answers has it. What a missing key has made cannot be read.',
      }),
  }),
)

/** The counts of values that the keys of the environment have made. */
export const keyUse = z
  .object({
    webhook_secrets: keys
      .nullable()
      .meta({ description: 'Signing secrets by the key of `WEBHOOK_SECRET_KEY`; null without that setting.' }),
    address_macs: keys
      .nullable()
      .meta({ description: 'Top-up addresses by the key of `ADDRESS_MAC_KEY`; null without that setting.' }),
  })
  .meta({ id: 'KeyUse', description: 'An older key can be deleted from its setting once its `values` is 0.' })
export type KeyUseJson = z.output<typeof keyUse>
type KeysJson = z.output<typeof keys>

/**
 * How many stored values each key has made: the keys of the setting, and those that it lacks.
 *
 * @param ids  of the setting's keys, the current one first
 */
export const keysToJson = (ids: readonly string[], uses: readonly KeyUse[]): KeysJson => {
  const counts = new Map(uses.map(({ keyId, count }) => [keyId, count]))
  const missing = [...counts.keys()].filter((id) => !ids.includes(id))
  return [...ids, ...missing].map((id) => ({
    id,
    values: counts.get(id) ?? 0,
    current: id === ids[0],
    configured: ids.includes(id),
  }))
}
