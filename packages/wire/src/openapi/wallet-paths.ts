import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../empty.ts'
import {
  parseSandboxQrRequest,
  sandboxQr,
  sandboxQrRequest,
  sandboxQrToJson,
} from '../sandbox-qr.ts'
import { wallet, walletToJson } from '../wallet.ts'
import * as example from './example.ts'
import { operation } from './operation.ts'

const get = operation({
  id: 'getWallet',
  tag: 'Wallet',
  summary: 'Read the wallet',
  description: 'The USDT balance that payouts are paid from.',
  access: { scope: 'wallet:read' },
  answers: {
    200: {
      description: 'The wallet.',
      schema: wallet,
      examples: { wallet: walletToJson(example.wallet, []) },
    },
  },
  refused: parseNoQuery('currency=USDT'),
})

export const walletPaths: ZodOpenApiPathsObject = { '/v1/wallets': { get } }

const issueQr = operation({
  id: 'createSandboxQr',
  tag: 'Sandbox',
  summary: 'Get a test QR',
  description: 'Payable any number of times until `expires_at`. In the sandbox only.',
  access: { scope: 'payouts:write' },
  body: {
    schema: sandboxQrRequest,
    examples: {
      closed: { amount_mode: 'closed', amount: '100.00', description: 'Order 123' },
      late: { amount_mode: 'open', scenario: 'late' },
    },
  },
  answers: {
    201: {
      description: 'The QR.',
      schema: sandboxQr,
      examples: {
        closed: sandboxQrToJson(example.sandboxQr, {
          png: 'data:image/png;base64,iVBORw0KGgo=',
          svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        }),
      },
    },
  },
  refused: parseSandboxQrRequest({ amount_mode: 'closed', scenario: 'lost' }),
  errors: ['NETWORK_UNAVAILABLE'],
})

export const sandboxPaths: ZodOpenApiPathsObject = { '/v1/sandbox/qr-codes': { post: issueQr } }
