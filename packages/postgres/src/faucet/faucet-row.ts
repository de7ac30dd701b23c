import { type FaucetSend, usdt } from '@quipu/core'
import type { FaucetDraft } from '@quipu/core/adapter'
import { membersOf } from '../members.ts'

/** A row of `quipu.faucet_send`, as `faucetColumns` names it. */
export type FaucetRow = Omit<FaucetSend, 'amount' | 'remainingToday' | 'transfer'> & {
  readonly amount: bigint
  readonly remainingToday: bigint
  readonly txHash: string
  readonly bytes: Buffer
  readonly expiresAt: Date
}

/** The columns of table `f` that `sendFromRow` needs. */
export const faucetColumns: string = membersOf(
  'f',
  'id tenant_id key fingerprint chain account address amount tx_hash bytes expires_at remaining_today created_at status',
)

export const sendFromRow = ({ txHash, bytes, expiresAt, ...row }: FaucetRow): FaucetSend => ({
  ...row,
  amount: usdt(row.amount),
  transfer: { txHash, bytes: new Uint8Array(bytes), expiresAt },
  remainingToday: usdt(row.remainingToday),
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
