import { type Bob, type Usdt, bob, usdt } from '@quipu/core'
import {
  type Movement,
  movementFaults,
  movementKinds,
  type NewMovement,
  type Reversal,
  treasuryAccounts,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instant, members, oneOf, text } from '../json/fields.ts'
import { ceilToMs, type Instant, parseInstant } from '../json/instant.ts'
import { bobAmount, positiveBob, positiveUsdt, readBob, readUsdt, usdtAmount } from '../json/money.ts'
import { evidenceRequest, noteMembers } from '../json/note.ts'
import { type Issue, mapParsed, parse, type Parsed, type Rule } from '../json/parsed.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { pageOf } from '../list/list.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage } from '../openapi/answers.ts'

const kinds =
  '`sale`: USDT of the treasury for BOB at the bank. `funding`: BOB from the bank to the network; `withdrawal`: back. `capital_in`, `capital_out` and `fee` are of `account`.'

export const movement = z
  .object({
    id: idText('trm'),
    kind: z.enum(movementKinds).meta({ description: kinds }),
    account: z.enum(treasuryAccounts).nullable(),
    usdt: usdtAmount.nullable(),
    bob: bobAmount.nullable(),
    at: time.meta({ description: 'When it happened.' }),
    reference: z.string(),
    reason: z.string(),
    evidence: z.object({ note: z.string(), digest: z.string() }),
    reverses: idText('trm').nullable().meta({ description: 'The movement that it undoes.' }),
    created_by: z.string(),
    created_at: time,
  })
  .meta({ id: 'Movement' })
export type MovementJson = z.output<typeof movement>
const movementPage = pageOf(movement, 'MovementPage')

export const movementToJson = (each: Movement): MovementJson => rowToJson(movement, each, {})

/** The body of `POST /operator/v1/treasury`. */
const movementRequest = members({
  kind: oneOf(movementKinds).meta({ description: kinds }),
  account: oneOf(treasuryAccounts).meta({ description: 'With `capital_in`, `capital_out` and `fee` only.' }).optional(),
  usdt: positiveUsdt.meta({ description: 'With a sale, and with the account `treasury`.' }).optional(),
  bob: positiveBob.meta({ description: 'With everything but the account `treasury`.' }).optional(),
  at: instant.meta({ description: 'When it happened, not in the future.' }),
  reference: text(1, 200).meta({
    description: 'The number that the chain or the bank gave it: recorded once for each kind.',
    examples: ['transfer 20261120-118'],
  }),
  reason: noteMembers.reason,
  evidence: evidenceRequest,
}).meta({ id: 'MovementRequest' })

export type MovementRequest = Omit<NewMovement, 'id'>

/** Reads a movement. */
export const parseMovement = (body: unknown, now: Date): Parsed<MovementRequest> =>
  mapParsed(parse(movementRequest, body, ofItsKind, notLater(now)), (read) => ({
    kind: read.kind,
    account: read.account ?? null,
    usdt: money(read.usdt, readUsdt),
    bob: money(read.bob, readBob),
    at: ceilToMs(parseInstant(read.at) as Instant),
    reference: read.reference,
    reason: read.reason,
    evidence: read.evidence,
  }))

const money = <M extends Usdt | Bob>(amount: string | undefined, read: (text: string) => M): M | null =>
  amount === undefined ? null : read(amount)

const ofItsKind: Rule = ({ kind, account, usdt, bob }) => {
  const known = movementKinds.find((each) => each === kind)
  if (known === undefined) return []
  const given = { kind: known, account, usdt, bob }
  return movementFaults(given).map(({ field, isMissing }): Issue => {
    const where = field !== 'account' && typeof account === 'string' ? `${known} of ${account}` : known
    return { field, message: isMissing ? `is required with ${where}` : `must be left out with ${where}` }
  })
}

const notLater =
  (now: Date): Rule =>
  ({ at }) => {
    const read = typeof at === 'string' ? parseInstant(at) : undefined
    if (read === undefined || (ceilToMs(read) <= now && read.ms >= Date.UTC(2020, 0))) return []
    return [{ field: 'at', message: 'must be between 2020 and now' }]
  }

/** The body of `POST /operator/v1/treasury/{id}/reverse`. */
const reversalRequest = members({ reason: noteMembers.reason, evidence: evidenceRequest }).meta({
  id: 'ReversalRequest',
})

/** Reads a reversal. */
export const parseReversal = (body: unknown): Parsed<Pick<Reversal, 'reason' | 'evidence'>> =>
  parse(reversalRequest, body)

const tag = 'Treasury'
const evidence = { note: 'The exchange’s statement.', digest: '9f86d081884c7d65'.repeat(4) }
const sale: Movement = {
  id: 'trm_01K6HZ8M00000000000000000A',
  kind: 'sale',
  account: null,
  usdt: usdt(10_000_000_000n),
  bob: bob(99_500_00n),
  at: example.at(0),
  reference: 'order 4711',
  reason: 'BOB for next week.',
  evidence,
  reverses: null,
  createdBy: 'ana',
  createdAt: example.at(60),
}
const { id: reverses } = sale
const reversal: Movement = { ...sale, id: 'trm_01K6HZ8M00000000000000000B', reverses, reason: 'Typed twice.' }
const note = { reason: sale.reason, evidence }
const body = {
  kind: 'sale',
  usdt: '10000.00',
  bob: '99500.00',
  at: '2026-11-20T15:04:05.000Z',
  reference: sale.reference,
  ...note,
}

const list = operation({
  id: 'listTreasury',
  tag,
  summary: 'List the operator’s own movements, newest first',
  access: 'operator',
  query: operatorListQuery,
  answers: lastPage(movementPage, [sale], movementToJson),
  refused: parseOperatorList('treasury', 'limit=0'),
})

const record = operation({
  id: 'recordTreasury',
  tag,
  summary: 'Record money that the operator moved outside of the service',
  description:
    'It moves nothing: the trial balance and the exposure count with it. A reference of a kind is recorded once, unless its movement is reversed.',
  access: 'operator',
  body: { schema: movementRequest, examples: { sale: body } },
  answers: created('It is recorded.', movement, { sale: movementToJson(sale) }),
  refused: parseMovement({ ...body, kind: 'funding' }, example.at(0)),
  errors: ['MOVEMENT_RECORDED'],
})

const reverse = operation({
  id: 'reverseTreasury',
  tag,
  summary: 'Undo a movement that was recorded wrongly',
  description: 'Records its opposite, of the same instant. The movement stays on record.',
  access: 'operator',
  path: z.object({ id: id('trm') }),
  body: { schema: reversalRequest, examples: { twice: { ...note, reason: reversal.reason } } },
  answers: created('The reversal.', movement, { reversal: movementToJson(reversal) }),
  refused: parseReversal({}),
  errors: ['MOVEMENT_NOT_FOUND', 'MOVEMENT_REVERSED'],
})

export const treasuryPaths: ZodOpenApiPathsObject = {
  '/operator/v1/treasury': { get: list, post: record },
  '/operator/v1/treasury/{id}/reverse': { post: reverse },
}
