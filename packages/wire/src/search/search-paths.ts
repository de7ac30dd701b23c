import type { ZodOpenApiPathsObject } from 'zod-openapi'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import {
  foundRecords,
  foundRecordsToJson,
  foundSecretRequest,
  parseFoundSecret,
  parseSearch,
  searchQuery,
} from './search.ts'

const { id: payoutId, tenantId, transactionId } = example.completed

const search = operation({
  id: 'search',
  tag: 'Search',
  summary: 'Find records by an id, and tenants by name',
  description:
    'The text is the whole id, or a part of the name of a tenant, or of its technical contact’s name or e-mail, whatever its case and accents; a name finds the newest 20 of 20,000 tenants. The network’s references find payouts in `processing` and the newest 2,000 that have ended; for older ones use the filters of the payouts.',
  access: 'operator',
  query: searchQuery,
  answers: ok('The records that have it, none if there is none.', foundRecords, {
    payout: foundRecordsToJson([{ type: 'payout', id: payoutId, tenantId, label: transactionId }]),
  }),
  refused: parseSearch('q='),
})

const foundSecret = operation({
  id: 'findSecret',
  tag: 'Found secrets',
  summary: 'Find whose a leaked API key or operator’s token is',
  description: 'Revoked and expired ones are found, too. The look-up is written to the audit log.',
  access: 'operator',
  body: {
    schema: foundSecretRequest,
    examples: { hash: { hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' } },
  },
  answers: ok('The record of the key or the token; none if neither has this hash.', foundRecords, {
    key: foundRecordsToJson([
      { type: 'api_key', id: `key_${example.ulid('0K')}`, tenantId, label: 'Tills, …x7Qa, active' },
    ]),
  }),
  refused: parseFoundSecret({ hash: 'qpu_live_' }),
})

export const searchPaths: ZodOpenApiPathsObject = {
  '/operator/v1/search': { get: search },
  '/operator/v1/found-secrets': { post: foundSecret },
}
