import { z } from 'zod'
import { blockJson, infoJson } from './block-json.ts'
import type { Endpoint } from './endpoint.ts'
import { InvalidRequest } from './transaction-json.ts'
import type { View } from '../chain/view.ts'

const Num = z.object({ num: z.coerce.number().int() })
const Value = z.object({ value: z.string() })
const Which = z.object({
  id_or_num: z.union([z.string(), z.number()]).optional(),
  detail: z.union([z.boolean(), z.stringbool()]).optional(),
})

function blockByName(view: View, name: string) {
  if (/^\d+$/.test(name)) return view.block(Number(name))
  throw new InvalidRequest('id_or_num must be a number')
}

/** Endpoints of blocks and transactions. A missing one is `{}`, a missing list `[]`. */
export const blockEndpoints: Readonly<Record<string, Endpoint>> = {
  getnowblock: (_, { view }) => blockJson(view.head),

  getblock(_, { view, body }) {
    const { id_or_num, detail = false } = Which.parse(body)
    const block = id_or_num === undefined ? view.head : blockByName(view, String(id_or_num))
    return block ? blockJson(block, detail) : {}
  },

  getblockbynum(_, { view, body }) {
    const block = view.block(Num.parse(body).num)
    return block ? blockJson(block) : {}
  },

  gettransactioninfobyid(_, { view, body }) {
    const found = view.transaction(Value.parse(body).value.toLowerCase())
    return found && found.block.number > 0 ? infoJson(found) : {}
  },

  gettransactioninfobyblocknum(_, { view, body }) {
    const { num } = Num.parse(body)
    if (num <= 0) return {}
    return (view.block(num)?.included ?? []).map((one) => infoJson(one))
  },
}
