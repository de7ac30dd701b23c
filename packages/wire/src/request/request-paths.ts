import { requestLogDays, type RequestRecord } from '@quipu/core/operator'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { lastPage } from '../openapi/answers.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { parseRequestList, requestEntryToJson, requestListQuery, requestPage } from './request.ts'

const paid: RequestRecord = {
  id: '019aa1f4-5108-7000-8000-00000000000b',
  tenantId: example.tenant.id,
  keyId: example.apiKey.id,
  requestId: example.requestId,
  method: 'POST',
  path: '/v1/payouts',
  status: 201,
  code: null,
  address: '192.0.2.10',
  durationMs: 412.3,
  bodyDigest: '5f2b'.repeat(16),
  answerDigest: '07c1'.repeat(16),
  createdAt: example.at(0),
}

const list = operation({
  id: 'listRequests',
  tag: 'API keys',
  summary: { en: 'List your requests, newest first', es: 'Listar sus solicitudes, las más nuevas primero' },
  description: {
    en: `The requests that presented a valid key of yours, for ${requestLogDays} days, a second or two after their answers: with which key, from where, how they ended, and how long they took. Bodies are not kept, but their digests. Requests may be missing when the service was overloaded or crashed in the second after them.`,
    es: `Las solicitudes que presentaron una clave válida de usted, durante ${requestLogDays} días, uno o dos segundos después de sus respuestas: con qué clave, desde dónde, cómo terminaron y cuánto tardaron. Los cuerpos no se guardan, solo sus resúmenes (hash). Pueden faltar solicitudes si el servicio estaba sobrecargado o cayó en el segundo siguiente.`,
  },
  access: { scope: 'keys:read' },
  query: requestListQuery,
  answers: lastPage(requestPage, [paid], requestEntryToJson),
  refused: parseRequestList(example.tenant.id, 'status=200&limit=500'),
})

export const requestPaths: ZodOpenApiPathsObject = { '/v1/requests': { get: list } }
