import type { PayoutStop } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { time } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { proposedExample } from '../proposal/proposal-paths.ts'
import { parseResumption, resumptionRequest } from '../tenant/tenant.ts'

/** Whether new payouts are accepted. */
export const payoutStop = z
  .object({
    status: z
      .enum(['open', 'stopped'])
      .meta({ description: '`stopped`: a new payout gets `503 OPERATION_UNCERTAIN`, and nothing of it is written.' }),
    stopped_by: z.string().nullable(),
    stopped_at: time.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'PayoutStop' })
export type PayoutStopJson = z.output<typeof payoutStop>

export const payoutStopToJson = (stop: PayoutStop | null): PayoutStopJson => ({
  status: stop === null ? 'open' : 'stopped',
  stopped_by: stop?.by ?? null,
  stopped_at: stop && instantToJson(stop.at),
  reason: stop?.reason ?? null,
})

const stopRequest = members({ reason: text(1, 500).meta({ examples: ['The network pays twice.'] }) }).meta({
  id: 'PayoutStopRequest',
})

/** Reads the body of `POST /operator/v1/payouts/stop`. */
export const parsePayoutStop = (body: unknown): Parsed<{ readonly reason: string }> => parse(stopRequest, body)

const tag = 'Payouts'
const reason = 'The network pays twice.'
const stopped = payoutStopToJson({ at: example.at(0), by: 'omar', reason })
const answer = (examples: Record<string, PayoutStopJson>) => ({
  200: { description: 'Whether new payouts are accepted.', schema: payoutStop, examples },
})

const get = operation({
  id: 'getPayoutStop',
  tag,
  summary: 'Read whether payouts are stopped',
  access: 'operator',
  answers: answer({ open: payoutStopToJson(null), stopped }),
  refused: parseNoQuery('expand=tenant'),
})

const stop = operation({
  id: 'stopPayouts',
  tag,
  summary: 'Stop payouts',
  description:
    'A new payout of every tenant gets `503 OPERATION_UNCERTAIN` from now on; nothing of it is written, and its `transaction_id` stays free. Replays, reads and settlements go on, and quotes are given. While payouts are stopped, the request changes nothing.',
  access: 'operator',
  body: { schema: stopRequest, examples: { twice: { reason } } },
  answers: answer({ stopped }),
  refused: parsePayoutStop({ reason: '' }),
})

const start = operation({
  id: 'startPayouts',
  tag,
  summary: 'Propose to start payouts again',
  description: 'They are accepted again once another operator approves the proposal.',
  access: 'operator',
  body: { schema: resumptionRequest, examples: { repaired: { reason: 'The network is repaired.' } } },
  answers: {
    202: proposedExample({
      tenantId: null,
      action: { type: 'start_payouts', stoppedAt: example.at(-600) },
      reason: 'The network is repaired.',
    }),
  },
  refused: parseResumption({ reason: '' }),
  errors: ['PAYOUTS_NOT_STOPPED'],
})

export const payoutStopPaths: ZodOpenApiPathsObject = {
  '/operator/v1/payouts/stop': { get, post: stop },
  '/operator/v1/payouts/start': { post: start },
}
