import { addMoney, toDecimal, type WebhookEndpoint } from '@quipu/core'
import {
  type EndpointOverview,
  type EndpointOverviewQuery,
  foundPerKindMax,
  type FoundRecord,
  type RecordType,
  recordTypes,
  type WalletOverview,
} from '@quipu/core/operator'
import type { PageQuery } from '@quipu/core'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { matching, members, oneOf, text, wordsOf } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { usdtAmount } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { cursorScope } from '../list/cursor.ts'
import { type ListRequest, pageOf, pageParameters, parseQuery, readPage } from '../list/list.ts'
import { endpointStateMembers, endpointStateToJson } from '../webhook/endpoint-control.ts'

/** A wallet as operators see it. */
export const operatorWallet = z
  .object({
    id: idText('wal'),
    tenant_id: idText('ten'),
    currency: z.literal('USDT'),
    available: usdtAmount,
    held: usdtAmount.meta({ description: 'Reserved for payouts in `processing`.' }),
    total: usdtAmount.meta({ description: '`available` and `held` together.' }),
    newest_entry_at: time
      .nullable()
      .meta({ description: 'The newest entry of the tenant’s log; null while it has none.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'OperatorWallet' })
export type OperatorWalletJson = z.output<typeof operatorWallet>

export const operatorWalletToJson = (wallet: WalletOverview): OperatorWalletJson => ({
  id: wallet.id,
  tenant_id: wallet.tenantId,
  currency: 'USDT',
  available: toDecimal(wallet.available),
  held: toDecimal(wallet.held),
  total: toDecimal(addMoney(wallet.available, wallet.held)),
  newest_entry_at: wallet.newestEntryAt && instantToJson(wallet.newestEntryAt),
  created_at: instantToJson(wallet.createdAt),
  updated_at: instantToJson(wallet.updatedAt),
})

export const operatorWalletPage = pageOf(operatorWallet, 'OperatorWalletPage')

const tenantFilter = { tenant_id: id('ten').optional() }

/** The query of `GET /operator/v1/wallets`. */
export const operatorWalletListQuery = members({ ...tenantFilter, ...pageParameters }, 'in the query')

/** Reads the query of `GET /operator/v1/wallets`. */
export function parseOperatorWalletList(
  search: URLSearchParams | string,
): Parsed<ListRequest<PageQuery & { readonly tenantId?: string }>> {
  const parsed = parseQuery(operatorWalletListQuery, search)
  if (!parsed.ok) return parsed
  const { limit, cursor, ...filters } = parsed.value
  const scope = cursorScope('wallets', 'operator', filters as Record<string, string>)
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({
    query: { ...page, ...(filters.tenant_id && { tenantId: filters.tenant_id }) },
    scope,
  }))
}

/** A webhook endpoint as operators see it. */
export const operatorEndpoint = z
  .object({
    ...endpointStateMembers,
    queued: z.int().min(0).meta({ description: 'Deliveries that are pending or held.' }),
    oldest_queued_at: time
      .nullable()
      .meta({ description: 'When the event of the oldest of them was recorded; null when there is none.' }),
    is_slow: z.boolean().meta({ description: 'Whether its last answer was an error or took long: others go first.' }),
    failing_since: time
      .nullable()
      .meta({
        description: 'The first failed attempt after the last one that succeeded. Null when that was the last one.',
      }),
  })
  .meta({ id: 'OperatorEndpoint' })
export type OperatorEndpointJson = z.output<typeof operatorEndpoint>

export const operatorEndpointToJson = ({
  endpoint,
  queued,
  oldestQueuedAt,
  isSlow,
  failingSince,
}: EndpointOverview): OperatorEndpointJson => ({
  ...endpointStateToJson(endpoint),
  queued,
  oldest_queued_at: oldestQueuedAt && instantToJson(oldestQueuedAt),
  is_slow: isSlow,
  failing_since: failingSince && instantToJson(failingSince),
})

export const operatorEndpointPage = pageOf(operatorEndpoint, 'OperatorEndpointPage')

const endpointStatuses = wordsOf<WebhookEndpoint['status']>({ active: true, paused: true })

/** The query of `GET /operator/v1/webhook-endpoints`. */
export const operatorEndpointListQuery = members(
  { ...tenantFilter, status: oneOf(endpointStatuses).optional(), ...pageParameters },
  'in the query',
)

/** Reads the query of `GET /operator/v1/webhook-endpoints`. */
export function parseOperatorEndpointList(
  search: URLSearchParams | string,
): Parsed<ListRequest<EndpointOverviewQuery>> {
  const parsed = parseQuery(operatorEndpointListQuery, search)
  if (!parsed.ok) return parsed
  const { limit, cursor, ...filters } = parsed.value
  const scope = cursorScope('webhooks', 'operator', filters as Record<string, string>)
  return mapParsed(readPage({ limit, cursor }, scope), (page) => ({
    query: {
      ...page,
      ...(filters.tenant_id && { tenantId: filters.tenant_id }),
      ...(filters.status && { status: filters.status }),
    },
    scope,
  }))
}

/** The query of `GET /operator/v1/search`. */
export const searchQuery = members(
  {
    q: text(1, 200).meta({
      description:
        'The whole id of a record, a payout’s `transaction_id`, a transaction hash, a top-up address, or the network’s reference of a QR or id of a payment.',
      examples: ['order-2026-000123'],
    }),
  },
  'in the query',
)

/** Reads the query of `GET /operator/v1/search`. */
export const parseSearch = (search: URLSearchParams | string): Parsed<string> =>
  mapParsed(parseQuery(searchQuery, search), ({ q }) => q)

/** The body of `POST /operator/v1/found-secrets`. */
export const foundSecretRequest = members({
  hash: matching(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 lowercase hexadecimal digits').meta({
    description: 'SHA-256 of the whole API key or operator’s token that was found. The secret itself is not sent.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
}).meta({ id: 'FoundSecretRequest' })

/** Reads the body of `POST /operator/v1/found-secrets`. */
export const parseFoundSecret = (json: unknown): Parsed<string> =>
  mapParsed(parse(foundSecretRequest, json), ({ hash }) => hash)

/** What a search found. */
export const foundRecords = z
  .object({
    data: z.array(
      z
        .object({
          type: z.union([z.enum(recordTypes), z.string()]).meta({ description: 'Types may be added.' }),
          id: z.string(),
          tenant_id: idText('ten').nullable(),
          summary: z.string().meta({ description: 'For people: a name, a status, an address, a `transaction_id`.' }),
          url: z
            .string()
            .nullable()
            .meta({
              description: 'Where this API shows it; null where it does not.',
              examples: ['/operator/v1/payouts/po_01K6HZ8M00000000000000000A'],
            }),
        })
        .meta({ id: 'FoundRecord' }),
    ),
  })
  .meta({ id: 'FoundRecords', description: `At most ${foundPerKindMax} of each kind.` })
export type FoundRecordsJson = z.output<typeof foundRecords>

export const foundRecordsToJson = (found: readonly FoundRecord[]): FoundRecordsJson => ({
  data: found.map((record) => ({
    type: record.type,
    id: record.id,
    tenant_id: record.tenantId,
    summary: record.label,
    url: urlOf[record.type](record),
  })),
})

const nowhere = (): null => null
const at =
  (path: string) =>
  ({ id }: FoundRecord): string =>
    `/operator/v1/${path}/${id}`
const ofTenant =
  (path: string) =>
  ({ tenantId }: FoundRecord): string =>
    `/operator/v1/${path}?tenant_id=${tenantId}`

const urlOf: Readonly<Record<RecordType, (record: FoundRecord) => string | null>> = {
  tenant: at('tenants'),
  api_key: ({ tenantId }) => `/operator/v1/tenants/${tenantId}/api-keys`,
  wallet: ofTenant('wallets'),
  top_up_address: ({ id }) => `/operator/v1/deposits?address=${id}`,
  payout: at('payouts'),
  quote: at('quotes'),
  resolution: nowhere,
  deposit: at('deposits'),
  faucet_send: at('faucet-sends'),
  event: at('events'),
  webhook_endpoint: at('webhook-endpoints'),
  delivery: at('webhook-deliveries'),
  proposal: at('proposals'),
  difference: at('differences'),
  reconciliation_run: at('reconciliation-runs'),
  sweep_batch: at('sweep/batches'),
  operator_token: () => '/operator/v1/operator-tokens',
}
