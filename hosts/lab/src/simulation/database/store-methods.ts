import type { Stores } from '@quipu/core'

/** A method of a store. */
export type StoreMethod = { readonly store: keyof Stores; readonly name: string }

/** Methods that write nothing, by store. All others are in the log, and a standby repeats them. */
const reads: Readonly<Partial<Record<keyof Stores, readonly string[]>>> = {
  payouts: ['findForCreate', 'find', 'get', 'list'],
  networkCalls: ['list'],
  networks: ['knownPayment', 'read'],
  payoutDecisions: ['find'],
  quotes: ['find'],
  quoting: ['get'],
  resolutions: ['find'],
  wallets: ['find', 'totals', 'books', 'transactions'],
  tenants: ['find', 'list'],
  treasury: ['find', 'list'],
  apiKeys: ['find', 'findCaller', 'list'],
  events: ['get', 'list'],
  audit: ['list', 'verify'],
  cases: ['notes', 'taker', 'taken'],
  consoleSessions: ['authenticate', 'list'],
  secondFactors: ['confirmedAt', 'secrets'],
  processes: ['list'],
  proposals: ['find', 'list'],
  operatorTokens: ['authenticate', 'find', 'list'],
  differences: ['find', 'list', 'listChanged'],
  reconciliations: ['find', 'list', 'lastScheduled', 'findPayments', 'completedPayments', 'addressFunds'],
  requests: ['list'],
  reports: ['payouts', 'refunds', 'rawPayouts', 'rawRefunds', 'books', 'position', 'liquidity'],
  restores: ['gate'],
  statements: ['balancesBefore', 'transactions'],
  addresses: ['list', 'match', 'listByOtherKeys', 'keyUse'],
  scans: ['at', 'refsAbove', 'unconfirmed'],
  deposits: ['get', 'list', 'find', 'listAll'],
  faucet: ['find', 'get', 'usage'],
  sweeps: ['addresses', 'find', 'list', 'sweptOf'],
  webhooks: ['get', 'list', 'queued', 'listByOtherKeys', 'keyUse'],
  endpointControl: ['find'],
  deliveries: ['get', 'list'],
  backlog: ['read'],
  overview: [
    'payouts',
    'payout',
    'activity',
    'wallets',
    'endpoints',
    'endpoint',
    'faucetSends',
    'events',
    'event',
    'find',
    'delivery',
    'deliveriesOf',
  ],
}

const readNames = new Set(Object.entries(reads).flatMap(([store, names]) => names.map((name) => `${store}.${name}`)))

export const isRead = ({ store, name }: StoreMethod): boolean => readNames.has(`${store}.${name}`)

/** Methods that answer rows one by one. */
const iterated = new Set(['reconciliations.completedPayments', 'reports.rawPayouts', 'statements.transactions'])

export const isIterated = ({ store, name }: StoreMethod): boolean => iterated.has(`${store}.${name}`)
