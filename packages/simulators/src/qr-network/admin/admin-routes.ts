/**
 * The admin port injects faults and shows the ledger; a program in the same process has every control. It has no token, so
 * bind it to loopback; it refuses requests that a web page can send. Bodies and answers are JSON, and every
 * `POST` needs `Content-Type: application/json`, also without a body.
 *
 * - `POST /sim/faults` — changes the faults in the body and answers all faults.
 *   - `delay_ms`: a number, or `{read?, put?, get?, cancel?, statement?, liquidity?, issue?}`: delays
 *     requests before they have any effect
 *   - `fail_next`: `{put: n, …}`: the next n requests are answered 503 without effect
 *   - `drop_answer_next`: `{cancel: n, …}`: the next n requests take effect, and their connection is
 *     dropped
 *   - `drop_before_paying`: n: the next n PUTs are dropped without a payment
 *   - `drop_answer_after_paying`, `error_after_paying`, `garble_after_paying`: n: the next n new
 *     payments are paid and answered with a dropped connection, a 500, or a 200 that is not JSON
 *   - `wrong_amount`: n: the next n new payments pay and report 1.00 more than requested
 *   - `hang_at`: `before_reading`, `before_paying`, `after_paying`, `before_status` or
 *     `before_statement`: requests hang there until released; null releases them
 *   - `down`: `"refuse"` or true (connections refused), `"503"`, false
 *   - `duplicate_callbacks`: n additional copies of each; `forge_callbacks`, `drop_callbacks`: true
 *   - `statement`: `{omit: [reference], add: [row], amounts: {reference: amount}}`
 * - `DELETE /sim/faults` — clears all faults and releases the requests that hang.
 * - `POST /sim/settle {reference, outcome?, force?}` — settles a late payment, `paid` by default;
 *   with `force` it changes a final outcome and returns money that was paid.
 * - `GET /sim/ledger?reference=` — the ledger. `POST /sim/balance {available}` — sets the balance.
 */
import { z } from 'zod'
import { adminRoutesUnder } from '../../control/admin-routes.ts'
import { Refusal, type Route } from '../../json-server.ts'
import { BobAmount } from '../payment/amount.ts'
import type { Controls } from './controls.ts'
import { hangPoints, operations, type FaultsPatch } from './faults.ts'
import type { Network } from '../network.ts'
import { finalOutcomes } from '../qr/scenario.ts'

const count = z.int().min(0).optional()
const flag = z.boolean().optional()
const PerOperation = z.partialRecord(z.enum(operations), z.int().min(0))

const FaultsBody: z.ZodType<FaultsPatch> = z.strictObject({
  delay_ms: z.union([z.int().min(0), PerOperation]).optional(),
  fail_next: PerOperation.optional(),
  drop_answer_next: PerOperation.optional(),
  drop_before_paying: count,
  drop_answer_after_paying: count,
  error_after_paying: count,
  garble_after_paying: count,
  wrong_amount: count,
  hang_at: z.enum(hangPoints).nullish(),
  down: z.union([z.boolean(), z.enum(['refuse', '503'])]).optional(),
  duplicate_callbacks: count,
  forge_callbacks: flag,
  drop_callbacks: flag,
  statement: z
    .strictObject({
      omit: z.array(z.string()).optional(),
      add: z
        .array(
          z.strictObject({
            reference: z.string(),
            network_ref: z.string(),
            network_payment_id: z.string(),
            amount: z.string(),
            paid_at: z.iso.datetime({ offset: true }),
            state: z.enum(['paid', 'reversed']),
          }),
        )
        .optional(),
      amounts: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
})
const SettleBody = z.strictObject({ reference: z.string(), outcome: z.enum(finalOutcomes).optional(), force: flag })
const BalanceBody = z.strictObject({ available: z.string().refine(isAmount, 'must be an amount') })

function isAmount(text: string): boolean {
  return BobAmount.safeParse(text).success
}

export function adminRoutes({ journal }: Network, controls: Controls): Route[] {
  const { post, get, delete: remove } = adminRoutesUnder('/sim/', journal.flushed)
  return [
    post('faults', (body) => controls.setFaults(FaultsBody.parse(body))),
    remove('faults', () => controls.clearFaults()),
    post('settle', (body) => settle(controls, body)),
    get('ledger', (reference) => controls.ledger(reference)),
    post('balance', (body) => {
      controls.setBalance(BalanceBody.parse(body).available)
      return controls.ledger('')
    }),
  ]
}

function settle(controls: Controls, body: unknown): unknown {
  const { reference, outcome, force } = SettleBody.parse(body)
  const settled = controls.settle(reference, outcome, force)
  if (settled === 'not_seen') throw new Refusal(404, 'NOT_SEEN', 'There is no such payment.')
  if (settled === 'not_pending') throw new Refusal(409, 'NOT_LATE', 'The reference is final.')
  return settled
}
