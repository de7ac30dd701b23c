import { type ServiceStatus, statusSeconds } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { time } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import { instantToJson } from '../json/instant.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

const canUse = z.enum(['available', 'unavailable'])

/** The answer of `GET /v1/status`. */
export const serviceStatus = z
  .object({
    quotes: canUse.meta({ description: '`unavailable`: `POST /v1/quotes` answers `503`.' }),
    payments: canUse.meta({
      description: '`unavailable`: a new `POST /v1/payouts` answers `503`, and nothing of it is written.',
    }),
    deposits: z
      .enum(['on_time', 'late'])
      .meta({ description: '`late`: deposits are credited later than usual, and none is lost.' }),
    checked_at: time,
  })
  .meta({ id: 'ServiceStatus' })
export type ServiceStatusJson = z.output<typeof serviceStatus>

export const serviceStatusToJson = ({ checkedAt, ...status }: ServiceStatus): ServiceStatusJson => ({
  ...status,
  checked_at: instantToJson(checkedAt),
})

const works = { quotes: 'available', payments: 'available', deposits: 'on_time', checkedAt: example.at(0) } as const

const get = operation({
  id: 'getStatus',
  tag: 'Service',
  summary: {
    en: 'Whether quotes, payments and deposits work',
    es: 'Si funcionan las cotizaciones, los pagos y los depósitos',
  },
  description: {
    en: `With any scope, so that a till stops offering to pay a QR: ask before you show it. The answer is at most ${statusSeconds} seconds old, and requests do not count towards the rate limit. An answer other than \`200\` means that neither works.`,
    es: `Con cualquier alcance, para que una caja deje de ofrecer el pago de un QR: pregunte antes de mostrarlo. La respuesta tiene como máximo ${statusSeconds} segundos, y las solicitudes no cuentan para el límite de frecuencia. Una respuesta distinta de \`200\` significa que no funciona nada.`,
  },
  access: { scope: 'any' },
  answers: ok({ en: 'The state of the service.', es: 'El estado del servicio.' }, serviceStatus, {
    works: serviceStatusToJson(works),
    stopped: serviceStatusToJson({ ...works, payments: 'unavailable' }),
  }),
  refused: parseNoQuery('expand=all'),
})

export const serviceStatusPaths: ZodOpenApiPathsObject = { '/v1/status': { get } }
