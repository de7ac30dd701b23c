import { z } from 'zod'
import { failure, Refusal, type Answer, type Call, type Route } from '../json-server.ts'
import { formatBob } from './payment/amount.ts'
import { issueQr } from './qr/issue-qr.ts'
import type { Network } from './network.ts'
import { payOrder } from './payment/pay.ts'
import { paymentJson, type CancelledReference, type Payment } from './payment/payment.ts'
import type { QrCode } from './qr/qr-code.ts'
import type { Operation } from './admin/faults.ts'
import { planOf, type AnswerFault } from './qr/scenario.ts'
import { statementPage } from './payment/statement.ts'

/** The network's public API: QRs, payments, statement and balance. */
export const publicRoutes = (network: Network): Route[] => [
  route(network, 'read', 'POST', '/v1/qr/read', readQr),
  route(network, 'put', 'PUT', '/v1/payments/:reference', putPayment),
  route(network, 'get', 'GET', '/v1/payments/:reference', getPayment),
  route(network, 'cancel', 'POST', '/v1/payments/:reference/close', cancelPayment),
  route(network, 'statement', 'GET', '/v1/statement', getStatement),
  route(network, 'liquidity', 'GET', '/v1/liquidity', ({ ledger, timers }) =>
    json(200, { currency: 'BOB', available: formatBob(ledger.available()), at: new Date(timers.now()).toISOString() }),
  ),
  route(network, 'issue', 'POST', '/v1/sandbox/qr-codes', ({ codec, timers }, { body }) =>
    json(201, issueQr(codec, body, timers.now())),
  ),
]

type Perform = (network: Network, call: Call) => Promise<Answer> | Answer

/** Adds clock, request log and faults to an operation. */
function route(network: Network, operation: Operation, method: Route['method'], path: string, perform: Perform): Route {
  const { timers, requests, faults, journal } = network
  const answerOf = async (call: Call): Promise<Answer> => {
    try {
      return await perform(network, call)
    } catch (error) {
      return failure(error)
    }
  }
  const act = async (call: Call): Promise<Answer> => {
    const ended = await faults.arrival(operation)
    if (ended) return ended
    const answer = await answerOf(call)
    await journal.flushed() // An answer implies that its changes are durable.
    return faults.departure(operation, answer)
  }
  return {
    method,
    path,
    async handle(call) {
      timers.tick()
      const answered = requests.arrived(operation, call.path['reference'])
      const answer = await act(call)
      answered(answer === 'drop' ? 'dropped' : answer.status)
      return answer
    },
  }
}

const json = (status: number, value: unknown): Answer => ({ status, json: value })

const ReadRequest = z.strictObject({ content: z.string().min(1).max(500), request_id: z.string().min(1).max(100) })

async function readQr({ faults, codec, refs, timers }: Network, { body }: Call): Promise<Answer> {
  const { content, request_id } = ReadRequest.parse(body)
  await faults.gate.enter('before_reading', request_id)
  const code = codec.decode(content)
  if (!code) throw refusedQr('QR_INVALID', '09', 'The QR cannot be read.')
  if (code.expiresAt <= timers.now()) throw refusedQr('QR_EXPIRED', '08', 'The QR has expired.')
  if (code.currency !== 'BOB') throw refusedQr('QR_CURRENCY', '10', 'The QR is not in BOB.')
  const { unreadable } = planOf(code.scenario)
  if (unreadable) throw refusedQr(unreadable, '14', 'The QR was used already.')
  return json(200, readJson(refs.issue(content), code))
}

const refusedQr = (code: string, network_code: string, message: string): Refusal =>
  new Refusal(422, code, message, { network_code })

const readJson = (network_ref: string, code: QrCode): unknown => ({
  network_ref,
  amount_mode: code.amount === null ? 'open' : 'closed',
  amount: code.amount === null ? null : formatBob(code.amount),
  currency: code.currency,
  description: code.description,
  merchant: { name: code.merchant.name, bank_code: code.merchant.bankCode },
  expires_at: new Date(code.expiresAt).toISOString(),
})

const Reference = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 of A-Z a-z 0-9 _ -')

const referenceOf = ({ path }: Call): string => Reference.parse(path['reference'])

const paymentAnswer = (payment: Payment | CancelledReference, status = 200): Answer =>
  json(status, paymentJson(payment))

async function putPayment(network: Network, call: Call): Promise<Answer> {
  const reference = referenceOf(call)
  if (network.faults.take('drop_before_paying')) return 'drop'
  await network.faults.gate.enter('before_paying', reference)
  const paid = payOrder(network, reference, call.body)
  if (paid.type === 'dropped') return 'drop'
  const { payment } = paid
  const answer = paymentAnswer(payment, payment.outcome === 'pending' ? 202 : 200)
  if (paid.type === 'replayed') return answer
  await network.faults.gate.enter('after_paying', reference)
  return paid.answerFault ? faultyAnswers[paid.answerFault] : answer
}

const faultyAnswers: Record<AnswerFault, Answer> = {
  drop: 'drop',
  error: json(500, { code: 'INTERNAL_ERROR', message: 'The result could not be determined.' }),
  garble: { status: 200, text: '<html>502 Bad Gateway' },
}

async function getPayment({ faults, ledger }: Network, call: Call): Promise<Answer> {
  const reference = referenceOf(call)
  await faults.gate.enter('before_status', reference)
  const found = ledger.find(reference)
  if (!found) throw new Refusal(404, 'NOT_SEEN', 'There is no payment under this reference.')
  return paymentAnswer(found)
}

async function getStatement({ faults, ledger, statementRowsMax }: Network, { query }: Call): Promise<Answer> {
  await faults.gate.enter('before_statement', 'statement')
  const { statement } = faults.current()
  return json(200, statementPage(ledger.state(), query, statement, statementRowsMax))
}

const cancelPayment: Perform = ({ ledger }, call) => paymentAnswer(ledger.cancel(referenceOf(call)))
