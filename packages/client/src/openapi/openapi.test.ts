import { readFileSync } from 'node:fs'
import { publicOpenApi } from '@quipu/wire'
import { expect, test } from 'vitest'
import type {
  Deposit,
  FaucetRequest,
  Payout,
  QuipuEvent,
  QuoteRequest,
  SandboxQrRequest,
  WalletBalance,
} from './openapi.ts'
import { version } from '../version.ts'
import { type Document, typesFromOpenApi } from './types-from-openapi.fixture.ts'

const document = publicOpenApi() as unknown as Document
const written = readFileSync(new URL('openapi.ts', import.meta.url), 'utf8')

test('the types are those of the document (`pnpm run generate` writes them)', () => {
  expect(typesFromOpenApi(document)).toBe(written)
})

test('the version is that of the package (`pnpm run generate` writes it)', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(manifest) as { readonly version: string }).version).toBe(version)
})

test('answers admit additions, requests do not, and an event’s type decides its data', () => {
  const status: Payout['status'] = 'reversed'
  const code: NonNullable<Payout['error']>['code'] = 'BANK_ON_STRIKE'
  const data = ({ type, data }: QuipuEvent): Payout | Deposit | WalletBalance => {
    switch (type) {
      case 'payout.completed':
      case 'payout.failed':
      case 'payout.cancelled':
      case 'payout.refunded':
        return data satisfies Payout
      case 'deposit.pending':
      case 'deposit.credited':
      case 'deposit.in_review':
      case 'deposit.closed':
        return data satisfies Deposit
      case 'wallet.balance_low':
      case 'wallet.balance_restored':
        return data satisfies WalletBalance
    }
  }
  const order: FaucetRequest = {
    // @ts-expect-error the faucet is on Tron
    chain: 'ethereum',
    address: 'T',
    // @ts-expect-error an amount is a text
    amount: 1,
  }
  // @ts-expect-error a closed QR has an amount
  const qr: SandboxQrRequest = { amount_mode: 'closed' }
  // @ts-expect-error a typo
  const quote: QuoteRequest = { resolution: 'qrr_1' }
  expect([status, code, typeof data, order.chain, qr.amount_mode, quote]).toHaveLength(6)
})
