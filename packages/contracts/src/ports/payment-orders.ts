import { type Bob, bob, idSource, type QrNetwork, type SandboxQrIssuer } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder, SandboxQrRequest, StatementRow } from '@quipu/core/adapter'
import { countingBytes } from '../fixtures/builders.ts'
import { someInstant } from '../fixtures/instants.ts'
import type { Resource } from '../fixtures/resource.ts'

/** A network with enough liquidity, and an issuer of its QRs. */
export type QrNetworkHarness = Resource & {
  readonly network: QrNetwork
  readonly issuer: SandboxQrIssuer
  /** Settles a late payment as paid, now. */
  settle(reference: string): Promise<void>
}
/** Called once for each suite: tests share the network. */
export type OpenQrNetwork = () => Promise<QrNetworkHarness>

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal

const ids = idSource(countingBytes())
export const newReference = (): string => ids.next('po', someInstant)

/** A request for a payable QR of BOB 100.00 by default. */
export const qr = (over: Partial<SandboxQrRequest> = {}): SandboxQrRequest => ({
  amountMode: 'closed',
  amount: bob(10_000n),
  merchantName: null,
  description: null,
  scenario: 'paid',
  ...over,
})

/** An order to pay a new QR under a new reference. */
export async function ordering(
  { network, issuer }: Pick<QrNetworkHarness, 'network' | 'issuer'>,
  over: Partial<SandboxQrRequest> = {},
  amount?: Bob,
): Promise<PaymentOrder> {
  const request = qr(over)
  const { content } = await issuer.issue(request)
  const read = await network.readQr(content, never)
  if (read.type === 'refused_qr') throw new Error(`refused: ${read.reason}`)
  return {
    reference: newReference(),
    networkRef: read.networkRef,
    content,
    amountMode: read.amountMode,
    amount: amount ?? request.amount ?? bob(10_000n),
    description: 'Pago QR',
  }
}

/** The reference by which the status of an order is known after this answer. */
export const refOf = ({ networkRef }: PaymentOrder, answer: NetworkAnswer): string =>
  ('networkRef' in answer ? answer.networkRef : undefined) ?? networkRef

/** The statement rows of this order. */
export const paymentsOf = async (network: QrNetwork, order: PaymentOrder): Promise<StatementRow[]> =>
  (await statementAround(network)).filter((row) => row.reference === order.reference)

/** The statement from one hour before to one hour after the network's time. */
export async function statementAround(network: QrNetwork): Promise<StatementRow[]> {
  const now = (await network.liquidity()).at.getTime()
  return rowsOf(network, new Date(now - 3_600_000), new Date(now + 3_600_000))
}

export async function rowsOf(network: QrNetwork, from: Date, to: Date): Promise<StatementRow[]> {
  const rows = []
  for await (const row of network.statement(from, to)) rows.push(row)
  return rows
}
