import type { AttemptResult } from '@quipu/core/adapter'
import { z } from 'zod'
import { members } from '../json/fields.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { type DigestLanguage, digestLanguages } from './digest-to-json.ts'

/** The answer of the gateway to a test message. */
export const gatewayAnswer = z
  .object({
    accepted: z.boolean(),
    status_code: z.int().nullable().meta({ description: 'Null without an answer.' }),
    latency_ms: z.int().min(0),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Null when it was accepted.', examples: ['TIMEOUT'] }),
    excerpt: z.string().nullable().meta({ description: 'The start of the answer’s body.' }),
  })
  .meta({ id: 'AlertGatewayAnswer' })
export type GatewayAnswerJson = z.output<typeof gatewayAnswer>

export const gatewayAnswerToJson = ({ statusCode, latencyMs, error, excerpt }: AttemptResult): GatewayAnswerJson => ({
  accepted: error === null,
  status_code: statusCode,
  latency_ms: Math.round(latencyMs),
  problem: error,
  excerpt,
})

const item = z.object({
  name: z.string(),
  count: z.int().min(0),
  oldest_seconds: z.int().min(0).nullable().meta({ description: 'The age of the oldest; null where there is none.' }),
  detail: z.string().nullable().meta({ description: 'A sum, or words.' }),
})

/** A digest, as the gateway receives it. */
export const digest = z
  .object({
    type: z.literal('digest'),
    id: z.string(),
    day: z.string(),
    language: z.enum(digestLanguages),
    environment: z.enum(['sandbox', 'production']),
    cell: z.string().nullable(),
    items: z.array(item),
    text: z.string().meta({ description: 'All of it for a person.' }),
  })
  .meta({ id: 'AlertDigest' })

/** The query of `GET /operator/v1/alerts/digest`. */
export const digestQuery = members(
  { language: z.enum(digestLanguages, 'must be en or es').optional().meta({ description: '`en` by default.' }) },
  'here',
)

export const parseDigestQuery = (search: URLSearchParams | string): Parsed<DigestLanguage> =>
  mapParsed(parseQuery(digestQuery, search), ({ language }) => language ?? 'en')
