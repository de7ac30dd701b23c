import type { Payout, PayoutRequest } from '@quipu/core'
import { errorToJson, httpErrors, parsePayoutRequest, payoutToJson } from '@quipu/wire'

type Pay = (request: PayoutRequest) => Promise<Payout>

/** Answers `POST /v1/payouts`: the parsed request is a domain object, the payout becomes JSON. */
export async function answer(body: unknown, requestId: string, pay: Pay) {
  const parsed = parsePayoutRequest(body)
  if (!parsed.ok) return refuse({ code: 'VALIDATION_FAILED', requestId, issues: parsed.issues })
  if (parsed.value.type !== 'qr') return refuse({ code: 'PAYOUT_TYPE_NOT_AVAILABLE', requestId })
  return { status: 201, json: payoutToJson(await pay(parsed.value)) }
}

const refuse = (error: Parameters<typeof errorToJson>[0]) => ({
  status: httpErrors[error.code].status,
  json: errorToJson(error),
})
