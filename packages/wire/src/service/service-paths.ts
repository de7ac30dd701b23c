import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { health, readiness, readinessToJson } from './health.ts'
import { retryAfterHeader } from '../openapi/header.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

const tag = 'Service'

const healthz = operation({
  id: 'getHealth',
  tag,
  summary: { en: 'Whether the process is alive', es: 'Si el proceso está vivo' },
  description: {
    en: 'Needs no key, and reads nothing: for the supervisor of the process.',
    es: 'No necesita clave y no lee nada: para el supervisor del proceso.',
  },
  access: 'public',
  answers: ok({ en: 'The process is alive.', es: 'El proceso está vivo.' }, health, { ok: { status: 'ok' } }),
})

const readyz = operation({
  id: 'getReadiness',
  tag,
  summary: { en: 'Whether requests can be served', es: 'Si se pueden atender solicitudes' },
  description: {
    en: 'Needs no key: for load balancers. Every check has its result.',
    es: 'No necesita clave: para balanceadores de carga. Cada verificación tiene su resultado.',
  },
  access: 'public',
  answers: {
    200: {
      description: { en: 'Every check passes.', es: 'Todas las verificaciones pasan.' },
      schema: readiness,
      examples: { ready: readinessToJson({ serving: true, database: true, clock: true }, 'begin') },
    },
    503: {
      description: { en: 'A check fails.', es: 'Una verificación falla.' },
      headers: retryAfterHeader,
      schema: readiness,
      examples: { not_ready: readinessToJson({ serving: true, database: false, clock: true }, 'unknown') },
    },
  },
})

/** Operations of both listeners. */
export const healthPaths: ZodOpenApiPathsObject = { '/healthz': { get: healthz }, '/readyz': { get: readyz } }

const document = operation({
  id: 'getOpenApi',
  tag,
  summary: { en: 'This document', es: 'Este documento' },
  description: {
    en: 'Needs no key. The operations are those of this environment.',
    es: 'No necesita clave. Las operaciones son las de este entorno.',
  },
  access: 'public',
  answers: {
    200: {
      description: { en: 'The OpenAPI 3.1 document of this API.', es: 'El documento OpenAPI 3.1 de esta API.' },
      schema: z.looseObject({ openapi: z.string() }),
    },
  },
  refused: parseNoQuery('version=1'),
})

export const documentPaths: ZodOpenApiPathsObject = { '/v1/openapi.json': { get: document } }

const metrics = operation({
  id: 'getMetrics',
  tag,
  summary: 'Metrics for Prometheus',
  description: 'Metrics of this process, and the backlog of the whole service. A token of any role can read them.',
  access: 'operator',
  answers: {
    200: {
      description: 'The Prometheus text format, version 0.0.4.',
      mediaType: 'text/plain',
      schema: z.string(),
      examples: { drift: '# TYPE quipu_ledger_drift_micro_usdt gauge\nquipu_ledger_drift_micro_usdt 0\n' },
    },
  },
  refused: parseNoQuery('name=up'),
})

/** Operations of the operator listener alone. */
export const metricsPaths: ZodOpenApiPathsObject = { '/metrics': { get: metrics } }
