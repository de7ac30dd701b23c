import { hash } from 'node:crypto'
import type { Payout } from '@quipu/core'
import { type DepositCommit, isBalanced, type PayoutCommit } from '@quipu/core/adapter'
import type { DecidedSettlement } from '@quipu/core/operator'
import { checkOneLive, checkSent } from './transfers.ts'
import type { Executed } from '../database/database-link.ts'
import { isRead } from '../database/store-methods.ts'
import type { Statistics } from '../statistics.ts'
import type { World } from '../world/world.ts'

/** The digest of everything that processes have executed, in order. */
export type Trace = { digest(): string }

/** Checks the world after every write and every payment, and records the trace. */
export function watch(world: World, statistics: Statistics): Trace {
  const { loop } = world
  let [trace, lines] = ['', '']
  const add = (line: string): void => {
    lines += `${loop.now().getTime()} ${line}\n`
    if (lines.length < 16_384) return
    trace = hash('sha256', trace + lines)
    lines = ''
  }
  /** Payments, by tenant and `transaction_id`. */
  const paid = new Map<string, string>()

  async function checkPaid(reference: string): Promise<void> {
    const payout = await findPayout(world, reference)
    if (payout === undefined) {
      world.violations.push(`the network paid ${reference}, which the database has lost`)
      return
    }
    const key = `${payout.tenantId} ${payout.transactionId}`
    const other = paid.get(key)
    if (other !== undefined && other !== reference)
      world.violations.push(`${payout.transactionId} was paid twice: ${other} and ${reference}`)
    paid.set(key, reference)
  }
  world.onOrder = (reference) => {
    void findPayout(world, reference).then((payout) => {
      if (payout === undefined) world.violations.push(`${reference} was ordered, and the database does not have it`)
    })
  }
  world.chain.onSend = (transfer) => void checkSent(world, transfer)
  world.onPaid = (reference) => {
    add(`paid ${reference}`)
    void checkPaid(reference)
  }
  world.onExecuted = (executed) => {
    const { process, method, isReplaced, result } = executed
    const name = `${method.store}.${method.name}`
    const server = isReplaced ? ' replaced' : ''
    add(`${process}${server} ${name} ${resultText(result)}`)
    statistics.count(`call ${name}`)
    if (isReplaced && result instanceof Error) world.replacedErrors.add(result)
    if (isReplaced) statistics.count(`database ${isRead(method) ? 'read' : 'write'} on a replaced primary`)
    if (isRead(method) || isReplaced) return
    if (name === 'payouts.commit') checkPayout(world, statistics, executed)
    if (name === 'payoutDecisions.settle') checkDecision(world, statistics, executed)
    if (name === 'deposits.commit') checkDeposit(world, statistics, executed)
    if (name === 'sweeps.insert' || name === 'sweeps.sign') void checkOneLive(world)
    if (name === 'sweeps.settle' && isCommitted(result)) statistics.count(`sweep → ${String(executed.args[1])}`)
    if (movesMoney.has(name)) void checkBooks(world, name)
  }
  return { digest: () => hash('sha256', trace + lines) }
}

const movesMoney = new Set([
  'payouts.commit',
  'payoutDecisions.settle',
  'deposits.commit',
  'wallets.adjust',
  'scans.advance',
])

const resultText = (result: unknown): string => {
  if (typeof result === 'string' || typeof result === 'boolean') return String(result)
  if (result instanceof Error) return result.name
  return Array.isArray(result) ? `${result.length} rows` : typeof result
}

const isCommitted = (result: unknown): boolean =>
  result === 'committed' || (typeof result === 'object' && result !== null && 'redatedTo' in result)

/** The state of a payout, with the code of its error. */
export const endOf = (payout: Payout): string =>
  'error' in payout ? `${payout.status} ${payout.error.code}` : payout.status

/** Checks that a hold is captured only by a payment, and released only when none can follow. */
function checkPayout(world: World, statistics: Statistics, { args, result }: Executed): void {
  const write = args[0] as PayoutCommit
  const { payout, transfer } = write.step
  if (!isCommitted(result)) {
    if (typeof result === 'string') statistics.count(`payout refused: ${result}`)
    return
  }
  const from = write.kind === 'settle' ? 'processing' : 'new'
  statistics.count(`payout ${from} → ${endOf(payout)}`)
  if (write.kind === 'settle') checkTransfer(world, payout, transfer)
}

/** Checks what two operators have decided as the network's own answers. */
function checkDecision(world: World, statistics: Statistics, { args, result }: Executed): void {
  const { payout, transfer } = (args[0] as DecidedSettlement).step
  statistics.count(`decision ${isCommitted(result) ? endOf(payout) : String(result)}`)
  if (!isCommitted(result)) return
  world.decided.set(payout.id, endOf(payout))
  checkTransfer(world, payout, transfer)
}

function checkTransfer(world: World, payout: Payout, transfer: PayoutCommit['step']['transfer']): void {
  const answer = world.qrNetwork.answerOf(payout.id)
  // A process whose network is halted ends a payout whose order never left.
  const { unsent, sent } = world.network
  const isUnsent =
    answer === undefined &&
    (unsent.has(payout.id) || (!sent.has(payout.id) && endOf(payout) === 'cancelled PAYMENT_CANCELLED'))
  if (transfer?.type === 'capture' && answer?.type !== 'paid')
    world.violations.push(`${payout.id} was captured, and the network has not paid it`)
  if (transfer?.type !== 'release' || isUnsent) return
  // The final check compares what people, or absence from a statement, have decided with what was paid later.
  const isProved =
    world.withoutCancel &&
    (world.decided.has(payout.id) || world.withoutCancel.capabilities.unpaidProof.by === 'statement')
  if (isProved && answer === undefined) return
  if (answer === undefined || answer.type === 'paid' || answer.type === 'pending')
    world.violations.push(`the hold of ${payout.id} was released while the network had ${answer?.type ?? 'no record'}`)
}

/** Checks that only transfers in solid blocks are credited. */
function checkDeposit(world: World, statistics: Statistics, { args, result }: Executed): void {
  const { deposit } = (args[0] as DepositCommit).step
  if (!isCommitted(result)) return
  const code = deposit.status === 'in_review' ? ` ${deposit.reviewCode}` : ''
  statistics.count(`deposit → ${deposit.status}${code}`)
  if (deposit.status !== 'credited') return
  const { blocks, solid } = world.chain
  const isSolid = blocks
    .slice(0, solid)
    .some(({ transfers }) =>
      transfers.some(
        ({ txHash, index, value }) =>
          txHash === deposit.txHash && index === deposit.transferIndex && value === deposit.amount.minor,
      ),
    )
  if (!isSolid) world.violations.push(`${deposit.txHash} was credited and is not solid`)
}

async function checkBooks({ database, tenants, violations }: World, cause: string): Promise<void> {
  for (const { id } of tenants) {
    const books = await database.stores.wallets.books(id)
    if (books === undefined) violations.push(`the wallet of ${id} is lost`)
    else if (!isBalanced(books.wallet, books.totals))
      violations.push(`the books of ${id} do not balance after ${cause}`)
    else if (books.wallet.available.minor < 0n || books.wallet.held.minor < 0n)
      violations.push(`the wallet of ${id} is below zero after ${cause}`)
  }
}

async function findPayout({ database, tenants }: World, id: string): Promise<Payout | undefined> {
  for (const tenant of tenants) {
    const payout = await database.stores.payouts.get(tenant.id, id)
    if (payout !== undefined) return payout
  }
  return undefined
}
