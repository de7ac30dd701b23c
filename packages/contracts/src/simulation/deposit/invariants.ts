import { expect } from 'vitest'
import { type Deposit, MAX_MINOR, type ReviewCode } from '@quipu/core'
import type { ChainBlock, TokenTransfer } from '@quipu/core/adapter'
import { serviceAccount } from '../../fixtures/deposit/deposit-harness.ts'
import type { DepositSimulationResult } from './run.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'

/** Expects that exactly the solid transfers are credited, each once. */
export async function expectDepositInvariants(outcome: DepositSimulationResult): Promise<void> {
  const { stores, chain, topUps, unexpectedErrors, violations } = outcome
  expect(unexpectedErrors).toEqual([])
  expect(violations).toEqual([])
  expect(await stores.scans.at('tron', 'solid')).toMatchObject({ number: chain.solid })
  const { items: deposits } = await stores.deposits.listAll({ limit: 10_000 })
  const dropped = deposits.filter(isDropped)
  const real = deposits.filter((deposit) => !isDropped(deposit))
  const solid = chain.blocks.slice(0, chain.solid)
  const transfers = solid.flatMap((block) => toTenants(block, outcome))

  expect(real.map(summary).toSorted()).toEqual(transfers.map((each) => wanted(each, outcome)).toSorted())
  expectDropped(outcome, dropped, transfers)
  for (const { tenantId } of topUps) await expectMoney(outcome, tenantId, real)
  await expectEvents(outcome, deposits)
}

const isDropped = (deposit: Deposit): boolean =>
  deposit.status === 'in_review' && deposit.reviewCode === 'TRANSFER_DROPPED'

const toTenants = ({ transfers }: ChainBlock, { topUps }: DepositSimulationResult): TokenTransfer[] =>
  transfers.filter(({ to, value }) => value > 0n && topUps.some(({ account }) => account === to))

/** A deposit and its outcome. */
const summary = (deposit: Deposit): string => {
  const { txHash, transferIndex, address, fromAddress, amount, status } = deposit
  const code = status === 'in_review' ? deposit.reviewCode : status
  return [txHash, transferIndex, address, fromAddress, amount.minor, code].join(' ')
}

function wanted({ txHash, index, from, to, value }: TokenTransfer, { topUps }: DepositSimulationResult) {
  const topUp = topUps.find(({ account }) => account === to)
  return [txHash, index, topUp?.address, `T${from}`, value, codeOf(from, value)].join(' ')
}

function codeOf(from: string, value: bigint): ReviewCode | 'credited' {
  if (from === serviceAccount) return 'SENDER_IS_SERVICE'
  if (value < 1_000_000n) return 'AMOUNT_BELOW_MINIMUM'
  return value > MAX_MINOR ? 'AMOUNT_ABOVE_AUTO_LIMIT' : 'credited'
}

/** Expects that only transfers with a wrong expiry were dropped and became solid later, each with an alert. */
function expectDropped(
  { nodes, alerts, topUps }: DepositSimulationResult,
  dropped: readonly Deposit[],
  solid: readonly TokenTransfer[],
): void {
  const addressOf = (account: string) => topUps.find((each) => each.account === account)?.address
  const cameAfterAll = dropped.filter((deposit) =>
    solid.some(
      ({ txHash, index, to }) =>
        txHash === deposit.txHash && index === deposit.transferIndex && addressOf(to) === deposit.address,
    ),
  )
  for (const { txHash } of cameAfterAll) expect(nodes.wrongExpiries.has(txHash)).toBe(true)
  const contradictions = alerts.filter(({ code }) => code !== 'BLOCK_UNREADABLE')
  expect(contradictions.map(({ code, subject }) => `${code} ${subject}`).toSorted()).toEqual(
    cameAfterAll.map(({ txHash, transferIndex }) => `CHAIN_CONTRADICTS ${txHash}:${transferIndex}`).toSorted(),
  )
}

async function expectMoney(
  { stores }: DepositSimulationResult,
  tenantId: string,
  deposits: readonly Deposit[],
): Promise<void> {
  const credited = deposits
    .filter((each) => each.tenantId === tenantId && each.status === 'credited')
    .reduce((sum, { amount }) => sum + amount.minor, 0n)
  const books = await stores.wallets.books(tenantId)
  expect(books?.wallet.available.minor).toBe(credited)
  expect(books?.totals.credited.minor).toBe(credited)
  const { items: rows } = await stores.wallets.transactions(tenantId, { limit: 10_000 })
  expect(new Set(rows.map(({ depositId }) => depositId)).size).toBe(rows.length)
  expect(rows.reduce((sum, { amount }) => sum + amount.minor, 0n)).toBe(credited)
}

async function expectEvents({ stores }: DepositSimulationResult, deposits: readonly Deposit[]) {
  for (const { tenantId, id, status } of deposits) {
    const events = await eventsAbout(stores, tenantId, id)
    expect(events.map(({ type }) => type)).toEqual(['deposit.pending', `deposit.${status}`])
  }
}
