import type { Resolution } from '@quipu/core'
import type { QuoteDraft } from '@quipu/core/adapter'
import type pg from 'pg'
import { arrayParameters, namedArguments } from '../batch/array-parameters.ts'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { type BatchProtocol, batchWriter } from '../batch/batch-writer.ts'
import { foundResults } from '../batch/found-results.ts'
import { type Database, statement } from '../connection/database.ts'

type QuoteInsertion = { readonly draft: QuoteDraft; readonly lifeSeconds: number; readonly keyId: string | null }
type QuoteRefusal = 'not_allowed' | 'paused' | 'no_resolution'
type QuoteResult = QuoteRefusal | { readonly createdAt: Date; readonly expiresAt: Date }

type ResolutionInsertion = { readonly resolution: Resolution; readonly keyId: string | null }
type ResolutionResult = 'committed' | 'not_allowed'

/** Writes what comes before a payout, resolutions and quotes, each in batches of its own. */
export type QuoteCommits = {
  insertQuote(insertion: QuoteInsertion): Promise<QuoteResult>
  insertResolution(insertion: ResolutionInsertion): Promise<ResolutionResult>
  close(): Promise<void>
}

/** Both take turns on a connection that payouts do not use, so that neither waits for the other's batches. */
export function quoteCommits(database: Database, config: pg.ClientConfig): QuoteCommits {
  const connections = openBatchConnections(database, config)
  const quotes = batchWriter(database, connections, insertQuotesProtocol(database))
  const resolutions = batchWriter(database, connections, insertResolutionsProtocol(database))
  return {
    insertQuote: quotes.write,
    insertResolution: resolutions.write,
    close: async () => {
      await Promise.all([quotes.idle(), resolutions.idle()])
      await connections.close()
    },
  }
}

const quotes = arrayParameters<QuoteInsertion>({
  tenant_ids: ['text', ({ draft }) => draft.tenantId],
  ids: ['uuid', ({ draft }) => draft.id],
  resolution_ids: ['text', ({ draft }) => draft.resolutionId],
  rates: ['int8', ({ draft }) => draft.rate],
  targets: ['int8', ({ draft }) => draft.target.minor],
  principals: ['int8', ({ draft }) => draft.principal.minor],
  fees: ['int8', ({ draft }) => draft.fee.minor],
  sources: ['int8', ({ draft }) => draft.source.minor],
  bids: ['int8', ({ draft }) => draft.bid],
  rate_sources: ['text', ({ draft }) => draft.rateSource],
  life_ms: ['int4', lifeMs],
  key_ids: ['text', ({ keyId }) => keyId],
})

// Decided by migrations/0003-quotes.sql, as `insertResolutions`.
const insertQuotes = statement('insert_quotes')`
  select results, created_at from quipu.insert_quotes(${namedArguments([...quotes.names, 'clock_override'])})`

type Refusals<Refusal> = readonly (Refusal | null)[] | null

type QuotesRow = { readonly results: Refusals<QuoteRefusal>; readonly created_at: Date }

/** Inserts quotes. */
export const insertQuotesProtocol = (
  database: Pick<Database, 'read' | 'clockOverride'>,
): BatchProtocol<QuoteInsertion, QuotesRow, QuoteResult> => ({
  statement: insertQuotes,
  encode: (items) => [...quotes.encode(items), database.clockOverride()],
  resultOf: ({ results, created_at: createdAt }, place, item) => results?.[place] ?? datesOf(item, createdAt),
  readBack: async (items) => {
    const ids = [items.map(({ draft }) => draft.tenantId), items.map(({ draft }) => draft.id)]
    const rows = await database.read<{ place: number; created_at: Date }>(insertedQuotes, ids)
    return foundResults(items, rows, (item, { created_at: createdAt }) => datesOf(item, createdAt))
  },
})

const datesOf = (item: QuoteInsertion, createdAt: Date) => ({
  createdAt,
  expiresAt: new Date(createdAt.getTime() + lifeMs(item)),
})

function lifeMs({ lifeSeconds }: QuoteInsertion): number {
  return Math.round(lifeSeconds * 1000)
}

const insertedQuotes = statement('quote.inserted')`
  select i.place::int - 1 as place, q.created_at
  from unnest($1::text[], $2::uuid[]) with ordinality i (tenant_id, id, place)
  cross join lateral (
    select q.created_at from quipu.quote q where q.id = i.id and q.tenant_id = i.tenant_id
  ) q`

const resolutions = arrayParameters<ResolutionInsertion>({
  tenant_ids: ['text', ({ resolution }) => resolution.tenantId],
  ids: ['text', ({ resolution }) => resolution.id],
  network_refs: ['text', ({ resolution }) => resolution.networkRef],
  amount_modes: ['text', ({ resolution }) => resolution.amountMode],
  amounts: ['int8', ({ resolution }) => resolution.amount?.minor],
  merchant_names: ['text', ({ resolution }) => resolution.merchant.name],
  bank_codes: ['text', ({ resolution }) => resolution.merchant.bankCode],
  descriptions: ['text', ({ resolution }) => resolution.description],
  expires_ats: ['timestamptz', ({ resolution }) => resolution.expiresAt],
  content_hashes: ['text', ({ resolution }) => resolution.contentHash],
  created_ats: ['timestamptz', ({ resolution }) => resolution.createdAt],
  key_ids: ['text', ({ keyId }) => keyId],
})

const insertResolutions = statement('insert_resolutions')`
  select quipu.insert_resolutions(${namedArguments([...resolutions.names, 'clock_override'])}) as results`

type ResolutionsRow = { readonly results: Refusals<'not_allowed'> }

/** Inserts readings of QRs. */
export const insertResolutionsProtocol = (
  database: Pick<Database, 'read' | 'clockOverride'>,
): BatchProtocol<ResolutionInsertion, ResolutionsRow, ResolutionResult> => ({
  statement: insertResolutions,
  encode: (items) => [...resolutions.encode(items), database.clockOverride()],
  resultOf: ({ results }, place) => results?.[place] ?? 'committed',
  readBack: async (items) => {
    const ids = [items.map(({ resolution }) => resolution.tenantId), items.map(({ resolution }) => resolution.id)]
    return foundResults(items, await database.read<{ place: number }>(insertedResolutions, ids), () => 'committed')
  },
})

const insertedResolutions = statement('resolution.inserted')`
  select i.place::int - 1 as place
  from unnest($1::text[], $2::text[]) with ordinality i (tenant_id, id, place)
  where exists (select from quipu.qr_resolution r where r.id = i.id and r.tenant_id = i.tenant_id)`
