import { table } from '@quipu/client/terminal'
import { addressIntegrityError } from '@quipu/core/operator'
import type { AddressSource } from '@quipu/core'
import { everyTopUpAddress } from '@quipu/postgres'
import { commonSettings, tronSettings } from '@quipu/runtime'
import { tronAddresses } from '@quipu/tron'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { settingsOf } from '../settings.ts'
import { progressLine } from '../terminal.ts'
import type { DeriveOptions, VerifyOptions } from './xpub-options.ts'

const KeySettings = z.object({ TRON_XPUB: tronSettings.TRON_XPUB.unwrap() })
const VerifySettings = KeySettings.extend({
  DATABASE_URL: commonSettings.DATABASE_URL,
  ADDRESS_MAC_KEY: tronSettings.ADDRESS_MAC_KEY.unwrap(),
})

/** Prints addresses and their indexes. @throws CommandError when TRON_XPUB is another key */
export function derive(first: number, { count, json }: DeriveOptions, { terminal, env }: Context): void {
  const source = sourceOf(settingsOf(KeySettings, env).TRON_XPUB)
  const rows = Array.from({ length: count }, (_, offset) => ({
    index: first + offset,
    address: source.derive(first + offset).address,
  }))
  if (json) return terminal.out(`${JSON.stringify({ addresses: rows })}\n`)
  terminal.out(`${table(rows, ['index', 'address'], undefined).lines.join('\n')}\n`)
}

/** Compares every stored address with the key. @throws CommandError when one does not match */
export async function verify({ json }: VerifyOptions, { terminal, env }: Context): Promise<void> {
  const { TRON_XPUB: xpub, ADDRESS_MAC_KEY: key, DATABASE_URL: url } = settingsOf(VerifySettings, env)
  const source = sourceOf(xpub)
  const progress = progressLine(terminal)
  const wrong: { index: number; address: string; tenant_id: string; error: string }[] = []
  let checked = 0
  await everyTopUpAddress(url, 'tron', (addresses) => {
    for (const each of addresses) {
      const error = addressIntegrityError(key, source, each)
      const { index, address, tenantId } = each
      if (error !== null) wrong.push({ index, address, tenant_id: tenantId, error })
    }
    checked += addresses.length
    progress.update(`${checked} verified`)
    return true
  })
  progress.end()
  if (json) terminal.out(`${JSON.stringify({ checked, wrong })}\n`)
  else if (wrong.length > 0)
    terminal.out(`${table(wrong, ['index', 'address', 'tenant_id', 'error'], undefined).lines.join('\n')}\n`)
  if (wrong.length > 0)
    throw new CommandError(exitCodes.refused, `${wrong.length} of ${checked} addresses do not match.`)
  if (!json) terminal.error(`${checked} addresses derive from TRON_XPUB, and their MACs match.\n`)
}

function sourceOf(xpub: string): AddressSource {
  try {
    return tronAddresses(xpub)
  } catch (error) {
    throw usageError(`TRON_XPUB: ${error instanceof Error ? error.message : 'cannot be used'}`)
  }
}
