import { bob, usdt } from '@quipu/core'
import type { Movement } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { id } from '../json/identifier.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage } from '../openapi/answers.ts'
import {
  movement,
  movementPage,
  movementRequest,
  movementToJson,
  parseMovement,
  parseReversal,
  reversalRequest,
} from './treasury.ts'

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
