import { type AddressFormat, defaultFaucetLimits, type FaucetRequest, type FaucetSend, toDecimal } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { z } from 'zod'
import { time, uuidText } from '../json/answer.ts'
import { addressText, txHashText } from '../json/chain.ts'
import { matching, members, ruleMessage, wordsOf } from '../json/fields.ts'
import { fingerprint } from '../json/fingerprint.ts'
import { instantToJson } from '../json/instant.ts'
import { positiveUsdt, readUsdt, usdtAmount } from '../json/money.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import { idempotencyKey } from '../json/repeatable.ts'
import { durationText } from '../text/number-text.ts'

/** The rule of an address; also the message when its checksum is wrong. */
const addressRule = 'must be a Tron address: T and 33 base58 characters with their checksum'

/** The body of `POST /v1/sandbox/faucet`. @source spec §4 */
export const faucetRequest = members({
  chain: z.literal('tron', { error: ruleMessage('must be tron') }),
  address: matching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/, addressRule).meta({
    description: 'A wallet that you control. Never a top-up address.',
    examples: ['TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'],
  }),
  amount: positiveUsdt.meta({ examples: ['100.00'] }),
}).meta({ id: 'FaucetRequest' })

/** The headers of `POST /v1/sandbox/faucet`. @source spec §4 */
export const faucetHeaders = z.object({ 'Idempotency-Key': idempotencyKey })

/**
 * Reads `POST /v1/sandbox/faucet`.
 *
 * @param key  the header `Idempotency-Key`; undefined when the request has none
 * @param accountOf  undefined when the checksum of an address is wrong
 */
export function parseFaucetRequest(
  body: unknown,
  key: string | undefined,
  accountOf: AddressFormat['parse'],
): Parsed<FaucetRequest> {
  const headers = parse(faucetHeaders, { 'Idempotency-Key': key })
  const order = parse(faucetRequest, body, ({ address }) =>
    typeof address === 'string' && accountOf(address) === undefined ? [{ field: 'address', message: addressRule }] : [],
  )
  const account = order.ok ? accountOf(order.value.address) : undefined
  if (!headers.ok || !order.ok || account === undefined)
    return { ok: false, issues: [headers, order].flatMap((read) => (read.ok ? [] : read.issues)) }
  const { address } = order.value
  return {
    ok: true,
    value: {
      account,
      address,
      amount: readUsdt(order.value.amount),
      // The index stores the digest, since the length of a key is not limited.
      key: sha256(headers.value['Idempotency-Key']),
      fingerprint: fingerprint(body),
    },
  }
}

const sendMembers = {
  id: uuidText,
  status: z
    .enum(wordsOf<FaucetSend['status']>({ submitted: true, confirmed: true, failed: true }))
    .meta({
      description:
        '`submitted`: signed, and broadcast until a block contains it. `confirmed`: a final block contains it. `failed`: no block will contain it.',
    }),
  chain: z.literal('tron'),
  address: addressText.meta({ description: 'The receiving address.' }),
  amount: usdtAmount,
  tx_hash: txHashText,
  created_at: time,
}

/** A faucet send, as `GET /v1/sandbox/faucet/{id}` answers it. */
export const faucetSend = z.object(sendMembers).meta({ id: 'FaucetSend', description: 'A transfer of test tokens.' })
export type FaucetSendJson = z.output<typeof faucetSend>

export const faucetSendToJson = (send: FaucetSend): FaucetSendJson => ({
  id: send.id,
  status: send.status,
  chain: send.chain,
  address: send.address,
  amount: toDecimal(send.amount),
  tx_hash: send.transfer.txHash,
  created_at: instantToJson(send.createdAt),
})

/** @source spec §2 Faucet record; `submitted` is the only status shown there */
export const faucetRecord = z
  .object({
    ...sendMembers,
    remaining_today: usdtAmount.meta({
      description: `What you can still request within ${durationText(defaultFaucetLimits.windowSeconds)}: the smaller of what the limits of amount and number of requests leave.`,
    }),
    replayed: z
      .boolean()
      .meta({ description: 'Whether this repeats the answer to an earlier request with the same key.' }),
  })
  .meta({ id: 'FaucetRecord' })
export type FaucetRecordJson = z.output<typeof faucetRecord>

/** @source spec §2 Faucet record: these members, in this order */
export const faucetRecordToJson = (send: FaucetSend, replayed: boolean): FaucetRecordJson => ({
  ...faucetSendToJson(send),
  remaining_today: toDecimal(send.remainingToday),
  replayed,
})
