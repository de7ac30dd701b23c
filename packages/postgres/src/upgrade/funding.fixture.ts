import type { ChainView } from '@quipu/core/adapter'
import {
  commitSend,
  newTopUp,
  refOf,
  scanner,
  settleDepositCommit,
  newObservedTransfer,
  type World,
} from '@quipu/contracts'

export type Funding = {
  /** @returns the tenant's address; creates one when it has none */
  topUpAddress(tenantId: string): Promise<string>
  /**
   * Scans the next block of a view, with a transfer of 25 USDT to the tenant.
   *
   * @returns the transfer's transaction
   */
  scan(tenantId: string, view: ChainView, txHash?: string): Promise<string>
  /** Claims confirmed deposits. The result credits them, and returns the result of each transaction. */
  claimDeposits(): Promise<() => Promise<Record<string, string>>>
  /** The tenant's deposits, newest first: transaction and status. */
  deposits(tenantId: string): Promise<readonly string[]>
  /** Requests a faucet send; returns the answer and the send's id. */
  askFaucet(
    tenantId: string,
    key: string,
  ): Promise<{ readonly answer: string; readonly id: string }>
  /** Claims due sends. The result confirms them, and returns the result of each. */
  claimSends(): Promise<() => Promise<Record<string, string>>>
  faucetStatus(tenantId: string, id: string): Promise<string | undefined>
}

export function funding(w: World): Funding {
  return {
    topUpAddress: async (tenantId) => (await newTopUp(w, tenantId)).address,
    scan: async (tenantId, view, txHash) => {
      const topUp = await newTopUp(w, tenantId)
      const observed = newObservedTransfer(w, topUp, {
        createdAt: new Date(),
        ...(txHash && { txHash }),
      })
      const { scan, claim } = await scanner(w, view)
      await scan({ observedTransfers: [observed] })
      await w.scans.yieldClaim(claim)
      return refOf(observed).txHash
    },
    claimDeposits: async () => {
      const claimed = await w.deposits.claimDue(100, 100)
      return async () => {
        const results: Record<string, string> = {}
        for (const each of claimed) {
          const result = await w.deposits.commit(settleDepositCommit(w, each, {}, new Date()))
          results[each.deposit.txHash] = typeof result === 'string' ? result : 'committed'
        }
        return results
      }
    },
    deposits: async (tenantId) => {
      const { items } = await w.deposits.list(tenantId, { limit: 100 })
      return items.map(({ txHash, status }) => `${txHash} ${status}`)
    },
    askFaucet: async (tenantId, key) => {
      const answer = await commitSend(w, tenantId, { key, leaseSeconds: 0 })
      return { answer: answer.type, id: 'send' in answer ? answer.send.id : '' }
    },
    claimSends: async () => {
      const claimed = await w.faucet.claimDue(100, 100)
      return async () => {
        const results: Record<string, string> = {}
        for (const { claim, send } of claimed)
          results[send.id] = await w.faucet.settle(claim, 'confirmed')
        return results
      }
    },
    faucetStatus: async (tenantId, id) => (await w.faucet.get(tenantId, id))?.status,
  }
}
