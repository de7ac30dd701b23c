import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { deposit, depositListQuery, depositPage, parseDepositList } from './deposit.ts'
import { depositToJson } from './deposit-to-json.ts'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { pageToJson } from '../list/list.ts'
import { position, tenant } from '../openapi/example.ts'
import * as funding from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

const tag = 'Deposits'
const { pending, credited, in_review } = funding.deposits

const list = operation({
  id: 'listDeposits',
  tag,
  summary: { en: 'List deposits, newest first', es: 'Listar depósitos, los más nuevos primero' },
  description: {
    en: 'Each item equals the answer of `GET /v1/deposits/{id}`.',
    es: 'Cada elemento es igual a la respuesta de `GET /v1/deposits/{id}`.',
  },
  access: { scope: 'wallet:read' },
  query: depositListQuery,
  answers: ok({ en: 'A page.', es: 'Una página.' }, depositPage, {
    page: pageToJson(
      { items: [pending, credited], next: { ...position, id: credited.id } },
      depositToJson,
      cursorScope('deposits', tenant.id),
    ),
  }),
  refused: parseDepositList(tenant.id, 'status=closed&limit=500'),
})

const get = operation({
  id: 'getDeposit',
  tag,
  summary: { en: 'Read a deposit', es: 'Leer un depósito' },
  description: {
    en: 'A transfer to a top-up address is `pending` while a fork of the chain can still undo it, and `credited` once it is final. If it cannot be credited automatically it is `in_review`, and `review_code` says why.',
    es: 'Una transferencia a una dirección de recarga está `pending` mientras una bifurcación de la cadena puede deshacerla, y `credited` cuando es final. Si no se puede acreditar automáticamente queda `in_review`, y `review_code` dice por qué.',
  },
  access: { scope: 'wallet:read' },
  path: z.object({ id: id('dep').meta({ examples: [credited.id] }) }),
  answers: ok({ en: 'The deposit.', es: 'El depósito.' }, deposit, {
    pending: depositToJson(pending),
    credited: depositToJson(credited),
    in_review: depositToJson(in_review),
    closed: depositToJson(funding.closedDeposit),
  }),
  refused: parseNoQuery('expand=transaction'),
  errors: ['DEPOSIT_NOT_FOUND'],
})

export const depositPaths: ZodOpenApiPathsObject = { '/v1/deposits': { get: list }, '/v1/deposits/{id}': { get } }
