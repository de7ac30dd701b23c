/**
 * The admin port sets the switches, issues test QRs and shows the ledger; a program in the same process has every control. It
 * has no token, so bind it to loopback; it refuses requests that a web page can send. Bodies and answers are JSON, and every
 * `POST` needs `Content-Type: application/json`, also without a body.
 *
 * - `POST /sim/switches` — changes the switches in the body and answers all; their names, values and defaults are in
 *   `switches.ts`, the replies and courses in `replies.ts`. `DELETE /sim/switches` — restores the defaults.
 * - `POST /v1/sandbox/qr-codes` — issues a test QR as the QR network does; `scan`, `confirm`, `status` (replies), `course`
 *   and `later_ms` replace what its scenario does. They are lost when the network restarts.
 * - `GET /sim/ledger?reference=` — orders (of one `transaccionId`), what was paid twice, breaches, balances.
 * - `POST /sim/settle {transaccion_id, state?}` — changes the state of an order.
 */
import { z } from 'zod'
import { adminRoutesUnder } from '../../control/admin-routes.ts'
import { Refusal, type Route } from '../../json-server.ts'
import type { Hub } from '../hub.ts'
import { states } from '../ledger/ledger-state.ts'
import { courses } from '../switches/replies.ts'
import { ReplyJson, SwitchesBody } from '../switches/switches-body.ts'
import type { OpenHubControls, PlannedQrRequest } from './controls.ts'

const QrBody = z.looseObject({
  scan: ReplyJson.optional(),
  confirm: ReplyJson.optional(),
  status: ReplyJson.optional(),
  course: z.enum(courses).optional(),
  later_ms: z.int().min(0).optional(),
})
const SettleBody = z.strictObject({ transaccion_id: z.string(), state: z.enum(states).optional() })

export function openHubAdminRoutes({ journal }: Hub, controls: OpenHubControls): Route[] {
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
  ]
}
