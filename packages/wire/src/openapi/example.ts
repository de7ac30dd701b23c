import { type ApiKey, bob, type Quote, quoteLifeSeconds, type Resolution, usdt, type Wallet, rate } from '@quipu/core'
import { defaultPricing, type TenantRecord } from '@quipu/core/operator'
import {
  cancelPayout,
  type PayoutDraft,
  openPayout,
  quotePrice,
  rejectPayout,
  type SandboxQr,
  settlePayout,
} from '@quipu/core/adapter'

export const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 20, 15, 4, 5) + seconds * 1000)
export const ulid = (last: string): string => `01KAGZ8M8800000000000000${last}`

export const requestId = 'req_7f3c1f0a'
const tenantId = `ten_${ulid('0A')}`
const merchant = { name: 'Librería Illimani', bankCode: '1016' }

const pricing: TenantRecord['pricing'] = { ...defaultPricing, marginBps: 150 }

const priced = quotePrice(bob(100_00n), rate(99_500n), pricing)
if (typeof priced === 'string') throw new Error(`the example has no price: ${priced}`)

export const resolution: Resolution = {
  id: `qrr_${ulid('0B')}`,
  tenantId,
  contentHash: '',
  networkRef: '',
  amountMode: 'closed',
  amount: bob(100_00n),
  merchant,
  description: null,
  expiresAt: at(86_400),
  createdAt: at(-20),
}

export const quote: Quote = {
  ...priced,
  id: '019aa1f4-5108-7000-8000-00000000000a',
  tenantId,
  resolutionId: resolution.id,
  bid: rate(99_500n),
  rateSource: 'fixed',
  createdAt: at(-10),
  expiresAt: at(quoteLifeSeconds.default - 10),
}

const draft: PayoutDraft = {
  id: `po_${ulid('0C')}`,
  tenantId,
  transactionId: 'order-2026-000123',
  quoteId: quote.id,
  resolutionId: resolution.id,
  keyId: null,
  target: quote.target,
  createdAt: at(0),
}
const qr = { amountMode: 'closed', merchant } as const
const accepted = openPayout(draft, { quote, qr, networkRef: '' }).payout
const paid = { type: 'paid', amount: quote.target, paymentId: null } as const
const otherAmount = { ...draft, target: bob(300_00n) }

export const completed = settlePayout(accepted, paid, 'in_time', at(1)).payout
/** A payout for every way in which `POST /v1/payouts` can end. */
export const payouts = {
  completed,
  processing: accepted,
  failed: settlePayout(accepted, { type: 'refused_payment' }, 'in_time', at(1)).payout,
  rejected: rejectPayout({ ...draft, resolutionId: null }, at(1)).payout,
  cancelled: cancelPayout(otherAmount, qr, 'QUOTE_AMOUNT_MISMATCH', at(1)).payout,
} as const

export const payoutRequest = {
  transaction_id: draft.transactionId,
  type: 'qr',
  quote_id: quote.id,
  qr: { content: 'MOCK:CLOSED:100.00' },
  description: 'Order 123',
}

export const wallet: Wallet = {
  id: `wal_${ulid('0D')}`,
  tenantId,
  available: usdt(989_796_647n),
  held: usdt(0n),
  usedToday: { amount: usdt(10_203_353n), count: 1 },
  lowBalanceThreshold: usdt(500_000_000n),
  createdAt: at(-86_400),
  updatedAt: at(1),
}

export const sandboxQr: SandboxQr = {
  content: 'MOCK:CLOSED:100.00',
  amountMode: 'closed',
  amount: bob(100_00n),
  merchant,
  description: 'Order 123',
  scenario: 'paid',
  expiresAt: at(86_400),
}

export const tenant: TenantRecord = {
  id: tenantId,
  legalName: 'Ejemplo S.R.L.',
  technicalContact: { name: 'Ana Quispe', email: 'ana@example.com' },
  status: 'active',
  pricing,
  dailyLimits: { amount: usdt(10_000_000_000n), count: 500 },
  usedToday: wallet.usedToday,
  createdAt: at(-86_400),
  revision: 1,
}

export const key = 'qpu_test_00000000000000000000000000000000000000a1'
export const apiKey: ApiKey = {
  id: `key_${ulid('0E')}`,
  tenantId,
  name: 'checkout backend',
  prefix: 'qpu_test_',
  lastFour: key.slice(-4),
  hash: '',
  scopes: ['payouts:write', 'payouts:read'],
  createdAt: at(-86_400),
  activatedAt: at(-86_400),
  lastUsedAt: at(0),
  expiresAt: null,
  revokedAt: null,
  replaces: null,
  allowedAddresses: null,
}

/** A position in a list. */
export const position: { createdAt: Date; id: string } = { createdAt: at(0), id: draft.id }
