import { type FaucetSend, usdt } from '@quipu/core'
import type { Chain, FaucetDraft, FaucetStatus } from '@quipu/core/adapter'

/** A row of `quipu.faucet_send`, as `faucetColumns` names it. */
export type FaucetRow = {
  readonly id: string
  readonly tenant_id: string
  readonly key: string
  readonly fingerprint: string
  readonly chain: Chain
  readonly account: string
  readonly address: string
  readonly amount: bigint
  readonly tx_hash: string
  readonly bytes: Buffer
  readonly expires_at: Date
  readonly remaining_today: bigint
  readonly created_at: Date
  readonly status: FaucetStatus
}

/** The columns of table `f` that `sendFromRow` needs. */
export const faucetColumns: string = `
  f.id, f.tenant_id, f.key, f.fingerprint, f.chain, f.account, f.address, f.amount, f.tx_hash,
  f.bytes, f.expires_at, f.remaining_today, f.created_at, f.status`

export const sendFromRow = (row: FaucetRow): FaucetSend => ({
  id: row.id,
  tenantId: row.tenant_id,
  key: row.key,
  fingerprint: row.fingerprint,
  chain: row.chain,
  account: row.account,
  address: row.address,
  amount: usdt(row.amount),
  transfer: { txHash: row.tx_hash, bytes: new Uint8Array(row.bytes), expiresAt: row.expires_at },
  status: row.status,
  remainingToday: usdt(row.remaining_today),
  createdAt: row.created_at,
})

/** The `send` of `accept_faucet_send`. */
export const draftJson = (draft: FaucetDraft, remainingToday: FaucetSend['remainingToday']): string =>
  JSON.stringify({
    id: draft.id,
    tenant_id: draft.tenantId,
    key: draft.key,
    fingerprint: draft.fingerprint,
    chain: draft.chain,
    account: draft.account,
    address: draft.address,
    amount: String(draft.amount.minor),
    tx_hash: draft.transfer.txHash,
    bytes: `\\x${Buffer.from(draft.transfer.bytes).toString('hex')}`,
    expires_at: draft.transfer.expiresAt,
    remaining_today: String(remainingToday.minor),
  })
