import type { ChainTransfer } from '@quipu/simulators'
import type { AnsweredPayout, Violation } from '../agreement/answer-log.ts'
import { isPaid, type Outcome, violationsOf } from '../agreement/invariants.ts'
import type { Intent } from '../load/tenant-client.ts'

export type ChaosViolation = {
  readonly kind:
    | Violation['kind']
    /** The network paid an order with another amount, or no tenant's order. */
    | 'wrong_payment'
    /** A tenant was answered another end of its order than the database has. */
    | 'wrong_end'
    /** A balance differs from the chain's transfers less the network's payments, or is held. */
    | 'off_balance'
    /** The chain's solid transfers and the credited deposits differ. */
    | 'wrong_deposit'
    /** The faucet sent another sum than it had answered, or twice, or after a refusal. */
    | 'wrong_send'
    /** An event did not arrive, arrived with different bytes, or with a wrong signature. */
    | 'wrong_delivery'
    /** A reconciliation found a difference, a fault lasts, or a service's own statement is off. */
    | 'not_clean'
    /** The harness failed, and compared nothing. */
    | 'broken'
    /** A payout was accepted that no standby had confirmed. */
    | 'unconfirmed'
    /** Payments began after a restore that nobody has confirmed. */
    | 'not_halted'
    /** The system did not recover from a step within the limit. */
    | 'not_recovered'
  readonly detail: string
}

/** The balances of one tenant's accounts at the end. Amounts are decimal strings. */
export type TenantRecords = {
  readonly id: string
  readonly available: string
  readonly held: string
  /** Whether `GET /v1/wallets/reconciliation` is balanced. */
  readonly isBalanced: boolean
  readonly deposits: readonly { readonly tx_hash: string; readonly status: string; readonly amount: string }[]
  /** The chain's own solid transfers to the tenant's address. */
  readonly transfers: readonly Pick<ChainTransfer, 'txid' | 'value'>[]
  readonly eventIds: readonly string[]
  /** The events of each accepting receiver. */
  readonly receivers: readonly ReceiverRecords[]
}

/** A request of the faucet at the end: `refused`, or the status of its send. */
export type FaucetRecords = {
  readonly address: string
  readonly micros: bigint
  readonly status: string
  /** The chain's solid transfers to its address. */
  readonly transfers: readonly Pick<ChainTransfer, 'txid' | 'value'>[]
}

export type ReceiverRecords = {
  readonly url: string
  readonly arrivals: ReadonlyMap<string, readonly string[]>
  readonly rejections: readonly string[]
}

/** The records of every party at the end of an episode. */
export type Records = Outcome & {
  readonly intents: readonly Intent[]
  readonly sends: readonly FaucetRecords[]
  readonly tenants: readonly TenantRecords[]
  /** Open differences and lasting faults, each as text. */
  readonly unclean: readonly string[]
}

/** Compares the records of tenants, service, network, chain and receivers. */
export const compareRecords = (records: Records): ChaosViolation[] => [
  ...violationsOf(records),
  ...records.intents.flatMap((intent) => wrongEnd(intent, records)),
  ...wrongPayments(records),
  ...records.sends.flatMap(wrongSend),
  ...records.tenants.flatMap((tenant) => [
    ...offBalance(tenant, records),
    ...wrongDeposits(tenant),
    ...tenant.receivers.flatMap((receiver) => wrongDeliveries(tenant, receiver)),
  ]),
  ...records.unclean.map((detail) => ({ kind: 'not_clean', detail }) as const),
]

type Payout = AnsweredPayout['status']
const ends: ReadonlySet<Payout> = new Set(['completed', 'failed', 'cancelled', 'rejected'])

function wrongEnd({ request, ended }: Intent, { stored }: Records): ChaosViolation[] {
  const id = request.transaction_id
  if (ended === undefined) return [{ kind: 'not_ended', detail: id }]
  const found = stored.find(({ transaction_id }) => transaction_id === id)
  // A refusal creates no payout.
  if (found === undefined ? !ends.has(ended) : found.status === ended) return []
  return [{ kind: 'wrong_end', detail: `${id} was answered ${ended} and is ${found?.status ?? 'missing'}` }]
}

function wrongPayments({ intents, payments }: Records): ChaosViolation[] {
  const byId = new Map(intents.map((intent) => [intent.request.transaction_id, intent]))
  return payments.flatMap((payment): ChaosViolation[] => {
    const { description, amount, requested_amount: requested } = payment
    const wanted = byId.get(description)?.amount
    if (wanted === requested && (!isPaid(payment) || wanted === amount)) return []
    return [{ kind: 'wrong_payment', detail: `${description}: ${amount} for ${wanted ?? 'no order'}` }]
  })
}

function wrongSend({ address, micros, status, transfers }: FaucetRecords): ChaosViolation[] {
  const expected = status === 'confirmed' ? [micros] : []
  const values = transfers.map(({ value }) => value)
  if (values.join() === expected.join()) return []
  return [{ kind: 'wrong_send', detail: `${address}: ${status}, ${values.join(', ') || 'nothing'} for ${micros}` }]
}

function offBalance(tenant: TenantRecords, { intents, payments }: Records): ChaosViolation[] {
  const paid = new Set(payments.filter(isPaid).map(({ description }) => description))
  const spent = intents
    .filter(({ tenantId, request }) => tenantId === tenant.id && paid.has(request.transaction_id))
    .reduce((sum, { cost }) => sum + microOf(cost), 0n)
  const received = tenant.transfers.reduce((sum, { value }) => sum + value, 0n)
  const [available, held] = [microOf(tenant.available), microOf(tenant.held)]
  const detail = `${tenant.id}: received ${received}, spent ${spent}, available ${available}, held ${held}`
  const isExact = available === received - spent && held === 0n
  if (isExact && tenant.isBalanced) return []
  return [{ kind: 'off_balance', detail: `${detail}${tenant.isBalanced ? '' : ', not balanced'}` }]
}

function wrongDeposits({ id, deposits, transfers }: TenantRecords): ChaosViolation[] {
  const credited = deposits
    .filter(({ status }) => status === 'credited')
    .map(({ tx_hash, amount }) => `${tx_hash} ${microOf(amount)}`)
  const sent = transfers.map(({ txid, value }) => `${txid} ${value}`)
  const [lost, doubled, unknown] = [
    sent.filter((each) => !credited.includes(each)),
    credited.filter((each, place) => credited.indexOf(each) !== place),
    credited.filter((each) => !sent.includes(each)),
  ]
  return Object.entries({ lost, doubled, unknown }).flatMap(([name, each]) =>
    each.map((detail) => ({ kind: 'wrong_deposit', detail: `${id}: ${name}: ${detail}` }) as const),
  )
}

function wrongDeliveries({ id, eventIds }: TenantRecords, receiver: ReceiverRecords): ChaosViolation[] {
  const { url, arrivals, rejections } = receiver
  const lost = eventIds.filter((eventId) => !arrivals.has(eventId))
  const different = Array.from(arrivals)
    .filter(([, bodies]) => new Set(bodies).size > 1)
    .map(([eventId]) => eventId)
  return Object.entries({ lost, different, rejections }).flatMap(([name, each]) =>
    each.map((detail) => ({ kind: 'wrong_delivery', detail: `${id} at ${url}: ${name}: ${detail}` }) as const),
  )
}

/** Micro-USDT of a decimal string. */
function microOf(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}
