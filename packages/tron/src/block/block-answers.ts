import type { BlockRef } from '@quipu/core/adapter'
import { z } from 'zod'

// Java-tron omits members that are zero, false or empty (proto3).

/** Id of a transaction or a block. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
/**
 * Whole bytes in lower-case hex. Another format is an error, because an unrecognized log could be a missed
 * deposit. A lost digit is one as well.
 */
const Hex = z.string().regex(/^([0-9a-f]{2})*$/)
const Int = z.int().min(0).default(0)
/** Ms within the range of `Date`. */
const Time = z.int().min(0).max(8.64e15).default(0)

const isEmpty = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0

/** Nodes answer `{}` for a missing item. */
const orEmpty = <T>(shape: z.ZodType<T>): z.ZodType<T | undefined> =>
  z.preprocess((answer) => (isEmpty(answer) ? undefined : answer), shape.optional())

/** A block without its transactions. */
export type Header = BlockRef & { readonly parentId: string }

const header = {
  blockID: Hash,
  block_header: z.object({
    raw_data: z.object({ number: Int, timestamp: Time, parentHash: Hash, txTrieRoot: Hash.optional() }),
  }),
}

type HeaderJson = {
  readonly blockID: string
  readonly block_header: {
    readonly raw_data: { readonly number: number; readonly timestamp: number; readonly parentHash: string }
  }
}

/** The Merkle root of a block without transactions. */
const rootOfNone = '0'.repeat(64)

/** A block's id begins with its number. */
const isNumbered = ({ blockID, block_header: { raw_data } }: HeaderJson): boolean =>
  parseInt(blockID.slice(0, 16), 16) === raw_data.number

const headerOf = ({ blockID, block_header: { raw_data } }: HeaderJson): Header => ({
  number: raw_data.number,
  id: blockID,
  at: new Date(raw_data.timestamp),
  parentId: raw_data.parentHash,
})

export const HeaderOrEmpty: z.ZodType<Header | undefined> = orEmpty(
  z.object(header).refine(isNumbered, 'the block id contains another number').transform(headerOf),
)

export type BlockAnswer = {
  readonly header: Header
  readonly transactions: readonly { readonly txID: string; readonly raw_data: { readonly expiration: number } }[]
}

export const BlockOrEmpty: z.ZodType<BlockAnswer | undefined> = orEmpty(
  z
    .object({
      ...header,
      transactions: z.array(z.object({ txID: Hash, raw_data: z.object({ expiration: Time }) })).default([]),
    })
    .refine(isNumbered, 'the block id contains another number')
    // Else a lost member `transactions` would be an empty block, and its deposits would be missed.
    .refine(({ transactions, block_header: { raw_data } }) => {
      const { txTrieRoot = rootOfNone } = raw_data
      return transactions.length > 0 || txTrieRoot === rootOfNone
    }, 'the transactions are missing')
    .transform(({ transactions, ...block }) => ({ header: headerOf(block), transactions })),
)

export type LogAnswer = {
  /** The contract's 20 bytes, without `41`. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** The receipt of a transaction. */
export type InfoAnswer = {
  readonly id: string
  readonly blockNumber: number
  /** `FAILED` or missing. */
  readonly result?: string | undefined
  readonly receipt: { readonly result?: string | undefined }
  readonly log: readonly LogAnswer[]
}

const Info: z.ZodType<InfoAnswer> = z.object({
  id: Hash,
  blockNumber: Int,
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z
    .array(z.object({ address: Hex.default(''), topics: z.array(Hex).default([]), data: Hex.default('') }))
    .default([]),
})

export const InfoOrEmpty: z.ZodType<InfoAnswer | undefined> = orEmpty(Info)

/** The block of a transaction. */
export const PlaceOrEmpty: z.ZodType<Pick<InfoAnswer, 'id' | 'blockNumber'> | undefined> = orEmpty(
  z.object({ id: Hash, blockNumber: Int }),
)

/** The infos of a block; `{}` if it has none or does not exist. */
export const Infos: z.ZodType<readonly InfoAnswer[]> = z.preprocess(
  (answer) => (isEmpty(answer) ? [] : answer),
  z.array(Info),
)
