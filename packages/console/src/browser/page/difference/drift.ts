import type { DifferenceJson } from '@quipu/wire'

/** The adjustment that makes the ledger agree with the wallet. */
export type Drift = { readonly direction: 'in' | 'out'; readonly amount: string }

const minorOf = (decimal: string): bigint => BigInt(decimal.replace('.', ''))

/** The drift of a wallet's row; undefined for any other difference. */
export function driftOf(difference: DifferenceJson): Drift | undefined {
  const { check, status, tenant_id: tenant, expected, found } = difference
  if (check !== 'ledger' || status !== 'open' || tenant === null) return undefined
  if (expected?.currency !== 'USDT' || found?.currency !== 'USDT') return undefined
  const off = minorOf(found.amount) - minorOf(expected.amount)
  const digits = (off < 0n ? -off : off).toString().padStart(7, '0')
  const amount = `${digits.slice(0, -6)}.${digits.slice(-6)}`
  return off === 0n ? undefined : { direction: off > 0n ? 'in' : 'out', amount }
}
