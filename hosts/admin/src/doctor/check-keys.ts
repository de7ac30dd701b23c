import type { KeyRing } from '@quipu/core'
import type { KeyUse } from '@quipu/core/operator'
import { fail, type Finding, ok, warn } from './finding.ts'

/**
 * Whether the keys of a setting read every value that is stored.
 *
 * @param setting  its name, and what its keys make
 */
export function keyFinding(
  [name, values]: readonly [name: 'WEBHOOK_SECRET_KEY' | 'ADDRESS_MAC_KEY', values: string],
  ring: KeyRing | undefined,
  uses: readonly KeyUse[],
): Finding {
  const check = `keys.${name}`
  const total = uses.reduce((sum, { count }) => sum + count, 0)
  const missing = uses.filter(({ keyId, count }) => count > 0 && !ring?.some(({ id }) => id === keyId))
  if (missing.length > 0)
    return fail(
      check,
      `lacks ${missing.map(({ keyId, count }) => `key ${keyId}, which has made ${count} of ${total} ${values}`).join('; ')}`,
      `Put the key back at the end of ${name} of every process: docs/operations/keys.md, “Rotating a master key”.`,
    )
  const current = ring?.[0].id
  const older = uses.filter(({ keyId, count }) => count > 0 && keyId !== current)
  if (older.length > 0)
    return warn(
      check,
      `being rotated: ${older.map(({ keyId, count }) => `key ${keyId} has made ${count} of ${total} ${values}`).join('; ')}`,
      `quipu-admin secrets rotate ${name} shows the progress, and the next step.`,
    )
  if (current === undefined) return ok(check, `not set; there are no ${values}`)
  return ok(check, total === 0 ? `no ${values} yet` : `key ${current} has made all ${total} ${values}`)
}
