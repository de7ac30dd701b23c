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

/** The first parameters of `accept_faucet_send`, up to `expires_at`. */
export const draftValues = (draft: FaucetDraft): unknown[] => [
  draft.tenantId,
  draft.id,
  draft.key,
  draft.fingerprint,
  draft.chain,
  draft.account,
  draft.address,
  draft.amount.minor,
  draft.transfer.txHash,
  draft.transfer.bytes,
  draft.transfer.expiresAt,
]
