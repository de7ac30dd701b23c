import { addressIntegrityError } from '@quipu/core/operator'
import { everyTopUpAddress } from '@quipu/postgres'
import { isTronConfigured } from '@quipu/runtime'
import { tronAddresses } from '@quipu/tron'
import { fail, failing, type Finding, ok } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Whether stored top-up addresses derive from TRON_XPUB, and their MACs match. @param all  else the newest 1,000 */
export async function checkAddresses(settings: ReadSettings, all: boolean): Promise<readonly Finding[]> {
  const check = 'addresses'
  const { DATABASE_URL: url } = settings
  if (!isTronConfigured(settings) || url === undefined) return []
  const { TRON_XPUB: xpub, ADDRESS_MAC_KEY: key } = settings
  return failing(check, 'Set TRON_XPUB and DATABASE_URL: docs/operations/settings.md, “Tron”.', async () => {
    const source = tronAddresses(xpub)
    const wrong: string[] = []
    let checked = 0
    await everyTopUpAddress(url, 'tron', (addresses) => {
      for (const address of addresses) {
        const error = addressIntegrityError(key, source, address)
        if (error !== null) wrong.push(`${address.address} (index ${address.index}): ${error}`)
      }
      checked += addresses.length
      return all
    })
    if (wrong.length === 0)
      return [ok(check, `${checked} ${all ? 'addresses derive' : 'newest addresses derive'}, and their MACs match`)]
    const [first] = wrong
    const mend =
      'If TRON_XPUB and ADDRESS_MAC_KEY are the original ones, treat it as a break-in (alert ADDRESS_MAC_MISMATCH). `quipu-admin xpub verify` lists each.'
    return [fail(check, `${wrong.length} of ${checked} do not match, such as ${first}`, mend)]
  })
}
