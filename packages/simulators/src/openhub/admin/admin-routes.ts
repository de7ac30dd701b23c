/**
 * The admin port sets the switches and shows the ledger and the requests. It has no token, so bind it to loopback; it refuses
 * requests that a web page can send. Bodies and answers are JSON, and every `POST` needs `Content-Type: application/json`,
 * also without a body.
 *
 * - `POST /sim/switches` — changes the switches in the body and answers all; their names, values and defaults are in
 *   `switches.ts`, the replies and courses in `replies.ts`. `DELETE /sim/switches` — restores the defaults.
 * - `POST /v1/sandbox/qr-codes` — issues a test QR as the QR network does; `scan`, `confirm`, `status` (replies), `course`
 *   and `later_ms` replace what its scenario does. They are lost when the network restarts.
 * - `GET /sim/ledger?reference=` — orders (of one `transaccionId`), what was paid twice, breaches, balances.
 * - `POST /sim/settle {transaccion_id, state?}` — changes the state of an order.
 * - `POST /sim/movements {movements: [{amount, type?, account?, transaction_id?, operation?, at?, times?}]}` — movements of no
 *   order. `POST /sim/balance {available, account?}` — sets a balance.
 * - `POST /sim/tokens/end` — ends all access tokens.
 * - `GET /sim/requests?reference=` — requests by `transaccionId` (confirm) and `numeroReferencia` (status).
 * - `GET /sim/hanging`, `POST /sim/release {reference?}`, `POST /sim/tick`, `POST /sim/reset` — as those of the QR network.
 */
import { z } from 'zod'
import { adminRoutesUnder } from '../../control/admin-routes.ts'
import { Refusal, type Route } from '../../json-server.ts'
import { BobAmount, PositiveBobAmount } from '../../qr-network/payment/amount.ts'
import type { Hub } from '../hub.ts'
import { states } from '../ledger/ledger-state.ts'
import { courses } from '../switches/replies.ts'
import { ReplyJson, SwitchesBody } from '../switches/switches-body.ts'
import type { OpenHubControls, PlannedQrRequest } from './controls.ts'

const isAmount = (text: string): boolean => BobAmount.safeParse(text).success

const QrBody = z.looseObject({
  scan: ReplyJson.optional(),
  confirm: ReplyJson.optional(),
  status: ReplyJson.optional(),
  course: z.enum(courses).optional(),
  later_ms: z.int().min(0).optional(),
})
const SettleBody = z.strictObject({ transaccion_id: z.string(), state: z.enum(states).optional() })
const ReleaseBody = z.strictObject({ reference: z.string().optional() }).optional()
const BalanceBody = z.strictObject({
  available: z.string().refine(isAmount, 'must be an amount'),
  account: z.string().optional(),
})
const MovementsBody = z.strictObject({
  movements: z.array(
    z.strictObject({
      amount: z.string().refine((text) => PositiveBobAmount.safeParse(text).success, 'must be an amount'),
      type: z.enum(['D', 'C']).optional(),
      account: z.string().optional(),
      transaction_id: z.string().optional(),
      operation: z.string().optional(),
      at: z.iso.datetime({ offset: true }).optional(),
      times: z.int().min(1).max(100_000).optional(),
    }),
  ),
})

export function openHubAdminRoutes(hub: Hub, controls: OpenHubControls): Route[] {
  const { journal, requests, timers } = hub
  const { post, get, delete: remove } = adminRoutesUnder('/sim/', journal.flushed)
  return [
    post('switches', (body) => controls.setSwitches(SwitchesBody.parse(body))),
    remove('switches', () => controls.resetSwitches()),
    {
      method: 'POST',
      path: '/v1/sandbox/qr-codes',
      handle: ({ body }) => ({
        status: 201,
        json: controls.issueQr(QrBody.parse(body) as unknown as PlannedQrRequest),
      }),
    },
    get('ledger', (reference) => controls.ledger(reference)),
    post('settle', (body) => {
      const { transaccion_id, state } = SettleBody.parse(body)
      const settled = controls.settle(transaccion_id, state)
      if (settled === 'not_seen') throw new Refusal(404, 'NOT_SEEN', 'There is no such order.')
      if (settled === 'not_possible') throw new Refusal(409, 'NOT_POSSIBLE', 'The order cannot get this state.')
      return settled
    }),
    post('movements', (body) => controls.addMovements(MovementsBody.parse(body).movements)),
    post('balance', (body) => {
      const { available, account } = BalanceBody.parse(body)
      controls.setBalance(available, account)
      return controls.ledger('')
    }),
    post('tokens/end', () => controls.endTokens()),
    get('requests', (reference) => ({ totals: requests.totals(), references: controls.requests(reference) })),
    get('hanging', () => ({ references: controls.hanging() })),
    post('release', (body) => ({ released: controls.release(ReleaseBody.parse(body)?.reference) })),
    post('tick', () => timers.tick()),
    post('reset', () => controls.reset()),
  ]
}
