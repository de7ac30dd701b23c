import { randomBytes } from 'node:crypto'
import type { KeyRing } from '@quipu/core'
import { addressMac } from '@quipu/core/adapter'
import { tronAddresses } from '@quipu/tron'
import { HDKey } from '@scure/bip32'
import type pg from 'pg'

/** Top-up addresses, of which `account` alone receives transfers. */
export type TopUpAddresses = { readonly xpub: string; readonly addressMacKeys: KeyRing; readonly account: string }

/** Inserts `count - 1` addresses that only make the search longer, and a derived one, whose MAC proves the key: the newest. */
export async function makeTopUpAddresses(db: pg.Client, count: number): Promise<TopUpAddresses> {
  const xpub = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey
  const index = count - 1
  const addressMacKeys: KeyRing = [{ id: '1', key: randomBytes(32) }]
  const { account, address } = tronAddresses(xpub).derive(index)
  const { rows } = await db.query<{ id: string }>('select id from quipu.tenant limit 1')
  const tenantId = rows[0]?.id ?? ''
  const mac = addressMac(addressMacKeys, { tenantId, chain: 'tron', index, address })
  await db.query(
    `insert into quipu.top_up_address
       (chain, account, address, index, tenant_id, address_mac, created_at, retired_at)
     values ('tron', $1, $2, $3, $4, $5, now(), null)`,
    [account, address, index, tenantId, mac],
  )
  await db.query(
    `insert into quipu.top_up_address
       (chain, account, address, index, tenant_id, address_mac, created_at, retired_at)
     select 'tron', left(encode(sha256(n::text::bytea), 'hex'), 40), 'T' || n, n, $1, '1.none', now(), now()
     from generate_series(0, $2::int - 1) n`,
    [tenantId, index],
  )
  await db.query('vacuum analyze quipu.top_up_address')
  return { xpub, addressMacKeys, account }
}
