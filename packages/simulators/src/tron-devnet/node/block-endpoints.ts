import { z } from 'zod'
import { blockJson, includedJson, infoJson } from './block-json.ts'
import type { Endpoint } from './endpoint.ts'
import { signedJson, InvalidRequest } from './transaction-json.ts'
import type { View } from '../chain/view.ts'

const Num = z.object({ num: z.coerce.number().int() })
const Value = z.object({ value: z.string() })
const Range = z.object({ startNum: z.coerce.number().int(), endNum: z.coerce.number().int() })
const Which = z.object({
  id_or_num: z.union([z.string(), z.number()]).optional(),
  detail: z.union([z.boolean(), z.stringbool()]).optional(),
})
/** Maximum length of a range; a longer one is answered `{}`. */
const rangeMax = 100

const blockByHash = (view: View, id: string) => {
  const block = view.block(parseInt(id.slice(0, 16), 16))
  return block?.id === id.toLowerCase() ? block : undefined
}

function blockByName(view: View, name: string) {
  if (/^\d+$/.test(name)) return view.block(Number(name))
  if (/^[0-9a-f]{64}$/i.test(name)) return blockByHash(view, name)
  throw new InvalidRequest('id_or_num must be a number or a block id')
}

/** Endpoints of blocks and transactions. A missing one is `{}`, a missing list `[]`. */
export const blockEndpoints: Readonly<Record<string, Endpoint>> = {
  getnowblock: (_, { view, visible }) => blockJson(view.head, visible),

  getblock(_, { view, visible, body }) {
    const { id_or_num, detail = false } = Which.parse(body)
    const block = id_or_num === undefined ? view.head : blockByName(view, String(id_or_num))
    return block ? blockJson(block, visible, detail) : {}
  },

  getblockbynum(_, { view, visible, body }) {
    const block = view.block(Num.parse(body).num)
    return block ? blockJson(block, visible) : {}
  },

  getblockbyid(_, { view, visible, body }) {
    const block = blockByHash(view, Value.parse(body).value)
    return block ? blockJson(block, visible) : {}
  },

  getblockbylimitnext(_, { view, visible, body }) {
    const { startNum, endNum } = Range.parse(body)
    if (startNum < 0 || endNum <= startNum || endNum - startNum > rangeMax) return {}
    const blocks = view.blocks(startNum, endNum - 1)
    return blocks.length > 0 ? { block: blocks.map((block) => blockJson(block, visible)) } : {}
  },

  gettransactionbyid(_, { view, visible, body }) {
    const found = view.transaction(Value.parse(body).value.toLowerCase())
    return found ? includedJson(found, visible) : {}
  },

  gettransactioninfobyid(_, { view, visible, body }) {
    const found = view.transaction(Value.parse(body).value.toLowerCase())
    return found && found.block.number > 0 ? infoJson(found, visible) : {}
  },

  gettransactioninfobyblocknum(_, { view, visible, body }) {
    const { num } = Num.parse(body)
    if (num <= 0) return {}
    return (view.block(num)?.included ?? []).map((one) => infoJson(one, visible))
  },

  gettransactionfrompending({ chain }, { visible, body }) {
    const found = chain.pending.get(Value.parse(body).value.toLowerCase())
    return found ? signedJson(found, visible) : {}
  },

  gettransactionlistfrompending({ chain }) {
    return chain.pending.size > 0 ? { txId: [...chain.pending.keys()] } : {}
  },
}
