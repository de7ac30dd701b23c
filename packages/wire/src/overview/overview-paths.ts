import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import * as webhooks from '../openapi/webhook-example.ts'
import {
  foundRecords,
  foundRecordsToJson,
  operatorEndpointListQuery,
  operatorEndpointPage,
  operatorEndpointToJson,
  operatorWalletListQuery,
  operatorWalletPage,
  operatorWalletToJson,
  parseOperatorEndpointList,
  parseOperatorWalletList,
  parseSearch,
  searchQuery,
} from './overview.ts'

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
        last: pageToJson(
          {
            items: [
              {
                endpoint: webhooks.pausedEndpoint,
                queued: 31,
                isSlow: true,
                failingSince: example.at(82_000),
              },
            ],
            next: null,
          },
          operatorEndpointToJson,
          cursorScope('webhooks', 'operator'),
        ),
      },
    },
  },
  refused: parseOperatorEndpointList('status=off'),
})

const { id, tenantId, transactionId } = example.completed

const search = operation({
  id: 'search',
  tag: 'Search',
  summary: 'Find records by an id',
  description:
    'The text must be the whole id. The network’s id of a payment is a filter of the payouts instead.',
  access: 'operator',
  query: searchQuery,
  answers: {
    200: {
      description: 'The records that have it, none if there is none.',
      schema: foundRecords,
      examples: {
        payout: foundRecordsToJson([{ type: 'payout', id, tenantId, label: transactionId }]),
      },
    },
  },
  refused: parseSearch('q='),
})

export const overviewPaths: ZodOpenApiPathsObject = {
  '/operator/v1/search': { get: search },
  '/operator/v1/wallets': { get: wallets },
  '/operator/v1/webhook-endpoints': { get: endpoints },
}
