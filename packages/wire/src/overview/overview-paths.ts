import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuidText } from '../json/answer.ts'
import { parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import * as webhooks from '../openapi/webhook-example.ts'
import {
  foundRecords,
  foundSecretRequest,
  foundRecordsToJson,
  operatorEndpoint,
  operatorEndpointListQuery,
  operatorEndpointPage,
  operatorEndpointToJson,
  operatorWalletListQuery,
  operatorWalletPage,
  operatorWalletToJson,
  parseFoundSecret,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
  searchQuery,
} from './overview.ts'
import { operatorQuote, operatorQuoteToJson } from './payout-history.ts'

const wallets = operation({
  id: 'listWallets',
  tag: 'Wallets',
  summary: 'List the wallets of all tenants, newest first',
  access: 'operator',
  query: operatorWalletListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorWalletPage,
      examples: {
        last: pageToJson(
          { items: [{ ...example.wallet, newestEntryAt: example.at(1) }], next: null },
          operatorWalletToJson,
          cursorScope('wallets', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorWalletList('limit=0'),
})

const webhookId = id('we').meta({ examples: [webhooks.endpoint.id] })
const failing = {
  endpoint: webhooks.pausedEndpoint,
  queued: 31,
  isSlow: true,
  oldestQueuedAt: example.at(82e3),
  failingSince: example.at(82001),
}

const endpoints = operation({
  id: 'listWebhookEndpoints',
  tag: 'Webhooks',
  summary: 'List the webhook endpoints of all tenants, newest first',
  description:
    'With `status=paused`: the endpoints whose events queue until their tenant acts, or an operator (`paused_by`).',
  access: 'operator',
  query: operatorEndpointListQuery,
  answers: {
    200: {
      description: 'A page.',
      schema: operatorEndpointPage,
      examples: {
        last: pageToJson({ items: [failing], next: null }, operatorEndpointToJson, cursorScope('webhooks', 'operator')),
      },
    },
  },
  refused: parseOperatorEndpointList('status=off'),
})

const path = z.object({ id: webhookId })

const endpoint = operation({
  id: 'getWebhookEndpoint',
  tag: 'Webhooks',
  summary: 'Read a webhook endpoint of any tenant',
  access: 'operator',
  path,
  answers: {
    200: {
      description: 'The endpoint with its backlog.',
      schema: operatorEndpoint,
      examples: { failing: operatorEndpointToJson(failing) },
    },
  },
  refused: parseNoQuery('expand=deliveries'),
  errors: ['WEBHOOK_NOT_FOUND'],
})

const quote = operation({
  id: 'getQuote',
  tag: 'Quotes',
  summary: 'Read a quote of any tenant, and how it was priced',
  access: 'operator',
  path: z.object({ id: uuidText.meta({ examples: [example.quote.id] }) }),
  answers: {
    200: {
      description: 'The quote.',
      schema: operatorQuote,
      examples: { used: operatorQuoteToJson({ quote: example.quote, status: 'used', payoutId: example.completed.id }) },
    },
  },
  refused: parseNoQuery('expand=payout'),
  errors: ['QUOTE_NOT_FOUND'],
})

const { id: payoutId, tenantId, transactionId } = example.completed

const search = operation({
  id: 'search',
  tag: 'Search',
  summary: 'Find records by an id',
  description:
    'The text must be the whole id. The network’s references find payouts in `processing` and the newest 2,000 that have ended; for older ones use the filters of the payouts.',
  access: 'operator',
  query: searchQuery,
  answers: {
    200: {
      description: 'The records that have it, none if there is none.',
      schema: foundRecords,
      examples: { payout: foundRecordsToJson([{ type: 'payout', id: payoutId, tenantId, label: transactionId }]) },
    },
  },
  refused: parseSearch('q='),
})

const foundSecret = operation({
  id: 'findSecret',
  tag: 'Found secrets',
  summary: 'Find whose a leaked API key or operator’s token is',
  description: 'Needs the role `operator` or `admin`. Revoked and expired ones are found, too.',
  access: 'operator',
  body: {
    schema: foundSecretRequest,
    examples: { hash: { hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' } },
  },
  answers: {
    200: {
      description: 'The record of the key or the token; none if neither has this hash.',
      schema: foundRecords,
      examples: {
        key: foundRecordsToJson([
          { type: 'api_key', id: `key_${example.ulid('0K')}`, tenantId, label: 'Tills, …x7Qa, active' },
        ]),
      },
    },
  },
  refused: parseFoundSecret({ hash: 'qpu_live_' }),
})

export const overviewPaths: ZodOpenApiPathsObject = {
  '/operator/v1/search': { get: search },
  '/operator/v1/found-secrets': { post: foundSecret },
  '/operator/v1/quotes/{id}': { get: quote },
  '/operator/v1/wallets': { get: wallets },
  '/operator/v1/webhook-endpoints': { get: endpoints },
  '/operator/v1/webhook-endpoints/{id}': { get: endpoint },
}
