import { deliveryPlace, namedPeriod } from '@quipu/core/operator'
import { type PagePosition, sha256, walletTransactionSeq } from '@quipu/core/adapter'
import type { z } from 'zod'
import { matching } from '../json/fields.ts'
import { canonicalJson } from '../json/fingerprint.ts'
import { isId, parseUuid } from '../json/identifier.ts'

const isUuid = (text: string): boolean => parseUuid(text) === text

/** Every list, with the form of the ids of its positions. */
const lists = {
  payouts: (id) => isId('po', id),
  deposits: (id) => isId('dep', id),
  wallet_transactions: (id) => isId('wtx', id) && walletTransactionSeq(id) !== undefined,
  statements: (id) => namedPeriod(id, 'UTC') !== undefined,
  events: isUuid,
  requests: isUuid,
  webhooks: (id) => isId('we', id),
  replays: (id) => /^[1-9][0-9]{0,17}$/.test(id),
  deliveries: isUuid,
  all_deliveries: (id) => deliveryPlace.test(id),
  faucet_sends: isUuid,
  wallets: (id) => isId('wal', id),
  tenants: (id) => isId('ten', id),
  treasury: (id) => isId('trm', id),
  api_keys: (id) => isId('key', id),
  proposals: (id) => isId('prp', id),
  screening_cases: (id) => isId('scr', id),
  differences: (id) => isId('dif', id),
  reconciliation_runs: (id) => isId('rcn', id),
  sweeps: (id) => isId('swb', id),
  sweep_addresses: (id) => /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(id),
  operator_tokens: (id) => isId('opt', id),
  cases: (id) => /^[a-z]{2,4}_[0-9A-Z]{26}$/.test(id),
  sessions: (id) => /^[0-9a-f]{16}$/.test(id),
  audit_log: (id) => /^[1-9][0-9]{0,17}$/.test(id),
} as const satisfies Readonly<Record<string, (id: string) => boolean>>

export type ListName = keyof typeof lists

/** The scope of a cursor: a list, and the digest of its name, owner and filters. */
export type CursorScope = { readonly list: ListName; readonly digest: string }

/** The list, owner and filters that a cursor belongs to. @param owner  the tenant, or `operator` */
export const cursorScope = (
  list: ListName,
  owner: string,
  filters: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {},
): CursorScope => ({ list, digest: sha256(canonicalJson([list, owner, filters])) })

const lastMs = 253_402_300_799_999 // 9999-12-31T23:59:59.999Z
const opened = /^1\.(0|[1-9][0-9]{0,14})\.([A-Za-z0-9_-]{1,64})\.[0-9a-f]{16}$/

/** Encodes a position of a list as opaque text, valid for that list only. */
export function encodeCursor({ createdAt, id }: PagePosition, { digest }: CursorScope): string {
  const position = `1.${createdAt.getTime()}.${id}`
  const check = sha256(`${digest}.${position}`).slice(0, 16)
  return Buffer.from(`${position}.${check}`).toString('base64url')
}

const decoded = (cursor: string): string => Buffer.from(cursor, 'base64url').toString('latin1')

/**
 * Reads the cursor of a list.
 *
 * @returns undefined when the cursor is malformed, altered, or of another owner, list or filters
 */
export function decodeCursor(cursor: string, scope: CursorScope): PagePosition | undefined {
  const match = opened.exec(decoded(cursor))
  if (match === null) return undefined
  const [, ms, id = ''] = match
  if (Number(ms) > lastMs || !lists[scope.list](id)) return undefined
  const position = { createdAt: new Date(Number(ms)), id }
  // Encoding the position again verifies its digest and refuses other spellings of base64.
  return encodeCursor(position, scope) === cursor ? position : undefined
}

export const cursorRule = 'must be the next_cursor of the same list with the same filters'

/** For the document. */
export const exampleCursor = 'MS4xNzYzNjUxMDQ1MDAwLnBvXzAxS0FHWjhNODgwMDAwMDAwMDAwMDAwMDBDLjZmMGM4ZDJlM2E1YjdjOTE'

/** Whether the service made the cursor, for whatever list: seen also where a filter cannot be read. */
const isCursor = (text: string): boolean => opened.test(decoded(text))

export const cursor: z.ZodString = matching(/^[A-Za-z0-9_-]{1,256}$/, cursorRule)
  .refine(isCursor)
  .meta({ description: 'The `next_cursor` of the previous page. Keep the same filters.', examples: [exampleCursor] })
