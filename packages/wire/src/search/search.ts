import { foundPerKindMax, type FoundRecord, type RecordType, recordTypes } from '@quipu/core/operator'
import { z } from 'zod'
import { idText } from '../json/answer.ts'
import { matching, members, queryMembers, text } from '../json/fields.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

const searchQuery = queryMembers({
  q: text(1, 200).meta({
    description:
      'A part of a tenant’s name or contact, the whole id of a record, a payout’s `transaction_id`, a transaction hash, a top-up address, the network’s reference of a QR or id of a payment, or the last four characters of an API key.',
    examples: ['order-2026-000123'],
  }),
})

/** Reads the query of `GET /operator/v1/search`. */
export const parseSearch = (search: URLSearchParams | string): Parsed<string> =>
  mapParsed(parseQuery(searchQuery, search), ({ q }) => q)

const foundSecretRequest = members({
  hash: matching(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 lowercase hexadecimal digits').meta({
    description: 'SHA-256 of the whole API key or operator’s token that was found. The secret itself is not sent.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
}).meta({ id: 'FoundSecretRequest' })

/** Reads the body of `POST /operator/v1/found-secrets`. */
export const parseFoundSecret = (json: unknown): Parsed<string> =>
  mapParsed(parse(foundSecretRequest, json), ({ hash }) => hash)

/** The records that a search found. */
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
