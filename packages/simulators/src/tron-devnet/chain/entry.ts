import { z } from 'zod'
import { transactionResults, type Script } from '../transaction/script.ts'
import type { TokenInfo } from '../token/token.ts'

/** One change of the chain. Replaying all entries in order restores it. */
export type Entry =
  /** The first entry, with the time of the genesis block in ms. */
  | { readonly type: 'began'; readonly at: number }
  | { readonly type: 'token'; readonly token: TokenInfo }
  /** A cell changed on every branch. */
  | { readonly type: 'overridden'; readonly key: string; readonly set?: bigint; readonly add?: bigint }
  | {
      readonly type: 'accepted'
      /** The signed bytes, in hex. */
      readonly hex: string
      readonly signatures: readonly string[]
      readonly script: Script | null
    }
  /** A new block with those of these pending transactions that are valid. */
  | { readonly type: 'mined'; readonly at: number; readonly txids: readonly string[] }
  /** The newest blocks are removed; their transactions are pending again, except `drop`. */
  | { readonly type: 'rewound'; readonly depth: number; readonly drop: 'all' | readonly string[] }
  /** Removed pending transactions. */
  | { readonly type: 'forgotten'; readonly txids: readonly string[] }
  /** Whether the solid block is stopped. */
  | { readonly type: 'stalled'; readonly stalled: boolean }

const Hex = z.string().regex(/^([0-9a-f]{2})*$/)
const Whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)
const Txids = z.array(z.string())

const ScriptJson: z.ZodType<Script> = z.strictObject({
  transfers: z.array(z.strictObject({ token: Hex, from: Hex, to: Hex, value: Whole })),
  logs: z.array(z.strictObject({ contract: Hex, topics: z.array(Hex), data: Hex })),
  result: z.enum(transactionResults),
})

export const EntryJson: z.ZodType<Entry> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('began'), at: z.int() }),
  z.strictObject({
    type: z.literal('token'),
    token: z.strictObject({
      contract: Hex,
      name: z.string(),
      symbol: z.string(),
      decimals: z.int(),
      owner: Hex,
      asserts: z.exactOptional(z.boolean()),
    }),
  }),
  z.strictObject({
    type: z.literal('overridden'),
    key: z.string(),
    set: z.exactOptional(Whole),
    add: z.exactOptional(Whole),
  }),
  z.strictObject({ type: z.literal('accepted'), hex: Hex, signatures: z.array(Hex), script: ScriptJson.nullable() }),
  z.strictObject({ type: z.literal('mined'), at: z.int(), txids: Txids }),
  z.strictObject({ type: z.literal('rewound'), depth: z.int().min(0), drop: z.union([z.literal('all'), Txids]) }),
  z.strictObject({ type: z.literal('forgotten'), txids: Txids }),
  z.strictObject({ type: z.literal('stalled'), stalled: z.boolean() }),
])
