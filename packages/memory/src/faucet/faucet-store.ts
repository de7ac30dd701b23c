import { type FaucetSend, usdt } from '@quipu/core'
import type { ChainAccount, ClaimedSend, FaucetClaim, FaucetStore, FaucetUsage, FaucetUse } from '@quipu/core/adapter'
import { type Database, tenantDataOf, secondsAfter } from '../table/database.ts'
import type { FaucetRow } from '../table/faucet-row.ts'

export function memoryFaucetStore(database: Database): FaucetStore {
  return {
    find: async (tenantId, key) => database.tenants.get(tenantId)?.faucetSends.get(key)?.send,
    get: async (tenantId, id) =>
      Array.from(database.tenants.get(tenantId)?.faucetSends.values() ?? []).find(({ send }) => send.id === id)?.send,
    usage: async (tenantId, account, windowSeconds) => {
      const now = database.now()
      return { usage: usageOf(database, tenantId, account, secondsAfter(now, -windowSeconds)), now }
    },
    commit: async (draft, checkLimits, { windowSeconds }, leaseSeconds) => {
      const { tenantId, account, key, transfer } = draft
      const { faucetSends } = tenantDataOf(database, tenantId)
      const stored = faucetSends.get(key)
      if (stored !== undefined) return { type: 'stored', send: stored.send }
      const now = database.now()
      const since = secondsAfter(now, -windowSeconds)
      const decision = checkLimits(usageOf(database, tenantId, account, since), now)
      if ('code' in decision) return { type: 'refused', refusal: decision }
      if (database.faucetHashes.has(transfer.txHash)) return { type: 'collision' }
      const send = { ...draft, ...decision, status: 'submitted', createdAt: now } as const
      const row = { send, fencingToken: 1, claimCount: 0, dueAt: secondsAfter(now, leaseSeconds) }
      faucetSends.set(key, row)
      database.faucetSends.push(row)
      database.openFaucetSends.set(send.id, row)
      database.faucetHashes.add(transfer.txHash)
      return { type: 'committed', send }
    },
    claimDue: async (limit, leaseSeconds) => {
      const now = database.now()
      return Array.from(database.openFaucetSends.values())
        .filter((row) => row.dueAt <= now)
        .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
        .slice(0, limit)
        .map((row) => claim(row, secondsAfter(now, leaseSeconds)))
    },
    yieldClaim: async (claim, dueInSeconds) => {
      const row = rowFor(database, claim)
      if (row === undefined) return false
      row.dueAt = secondsAfter(database.now(), dueInSeconds)
      return true
    },
    settle: async (claim, status) => {
      const row = rowFor(database, claim)
      if (row === undefined) return 'stale'
      row.send = { ...row.send, status }
      database.openFaucetSends.delete(row.send.id)
      return 'committed'
    },
  }
}

/** Undefined when a newer claim exists, and when the send is settled. */
function rowFor(database: Database, { tenantId, sendId, fencingToken }: FaucetClaim): FaucetRow | undefined {
  const row = database.openFaucetSends.get(sendId)
  const isNewest = row?.fencingToken === fencingToken && row.send.tenantId === tenantId
  return isNewest ? row : undefined
}

function claim(row: FaucetRow, leasedUntil: Date): ClaimedSend {
  row.fencingToken++
  row.claimCount++
  row.dueAt = leasedUntil
  const { send, claimCount, fencingToken } = row
  return { claim: { tenantId: send.tenantId, sendId: send.id, fencingToken }, send, claimCount }
}

/** The sends accepted after `since`. */
function usageOf({ faucetSends }: Database, tenantId: string, account: ChainAccount, since: Date): FaucetUsage {
  const last = faucetSends.findLastIndex(({ send }) => send.createdAt <= since)
  const sends = faucetSends.slice(last + 1).map(({ send }) => send)
  return {
    tenant: sends.filter((send) => send.tenantId === tenantId).map(useOf),
    address: sends.filter((send) => send.account === account).map(useOf),
    shared: sends.map(useOf),
  }
}

const useOf = ({ status, amount, createdAt }: FaucetSend): FaucetUse => ({
  at: createdAt,
  amount: status === 'failed' ? usdt(0n) : amount,
})
