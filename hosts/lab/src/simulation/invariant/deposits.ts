import { type Deposit, MAX_MINOR } from '@quipu/core'
import type { TokenTransfer } from '@quipu/core/adapter'
import type { Statistics } from '../statistics.ts'
import { faucetAccount } from '../world/transfers.ts'
import type { World } from '../world/world.ts'

const codesOfTime = ['TENANT_NOT_ACTIVE', 'SOURCES_DISAGREE', 'TRANSFER_DROPPED']

/** Checks that exactly the solid transfers to tenants are deposits, and that the eligible ones are credited. */
export async function checkDeposits(
  { chain, database, tenants, violations }: World,
  statistics: Statistics,
): Promise<void> {
  const { items: deposits } = await database.stores.deposits.listAll({ limit: 10_000 })
  const addresses = new Map(tenants.map(({ topUp }) => [topUp.account, topUp.address]))
  const keyOf = (txHash: string, index: number, address: string | undefined): string => `${txHash}:${index} ${address}`
  const byKey = new Map<string, Deposit[]>()
  for (const deposit of deposits) {
    const key = keyOf(deposit.txHash, deposit.transferIndex, deposit.address)
    byKey.set(key, [...(byKey.get(key) ?? []), deposit])
  }
  const solid = chain.blocks
    .slice(0, chain.solid)
    .flatMap(({ transfers }) => transfers)
    .filter(({ to, value }) => value > 0n && addresses.has(to))
  for (const transfer of solid) {
    const key = keyOf(transfer.txHash, transfer.index, addresses.get(transfer.to))
    const found = byKey.get(key) ?? []
    byKey.delete(key)
    // A node that states a wrong expiry lets a transfer be dropped that is included later.
    const mayBeDropped = chain.nodes.wrongExpiries.has(transfer.txHash)
    if (mayBeDropped && found.length > 1) statistics.count('deposit dropped, and included later')
    const [deposit, ...more] = found.filter((each) => !(mayBeDropped && isDropped(each)))
    if (deposit === undefined) violations.push(`the transfer ${key} has no deposit`)
    else if (more.length > 0) violations.push(`the transfer ${key} has two deposits`)
    else checkDeposit(transfer, deposit, violations)
  }
  for (const [key, [deposit]] of byKey)
    if (deposit === undefined || !isDropped(deposit))
      violations.push(`the deposit ${key} is ${deposit?.status}, and has no solid transfer`)
}

const isDropped = (deposit: Deposit): boolean =>
  deposit.status === 'in_review' && deposit.reviewCode === 'TRANSFER_DROPPED'

function checkDeposit({ from, value, txHash }: TokenTransfer, deposit: Deposit, violations: string[]): void {
  const isEligible = from !== faucetAccount && value >= 1_000_000n && value <= MAX_MINOR
  if (deposit.status !== 'in_review') {
    if (deposit.amount.minor !== value) violations.push(`${txHash} was credited with another amount`)
  } else if (isEligible && !codesOfTime.includes(deposit.reviewCode))
    violations.push(`${txHash} is in review: ${deposit.reviewCode}`)
}
