import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { cursorScope } from '../list/cursor.ts'
import { pageToJson } from '../list/list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import {
  operatorWalletListQuery,
  operatorWalletPage,
  operatorWalletToJson,
  parseOperatorWalletList,
} from './operator-wallet.ts'

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

export const operatorWalletPaths: ZodOpenApiPathsObject = { '/operator/v1/wallets': { get: wallets } }
