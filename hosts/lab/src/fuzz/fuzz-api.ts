import { isBalanced } from '@quipu/core/adapter'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import {
  base64Token,
  callbackSecret,
  depositMaker,
  operatorToken,
  ownWallet,
  type TestApi,
  testApi,
  type TestTenant,
} from '@quipu/api/testing'
import type { FuzzedAnswer } from './answer-faults.ts'
import type { FuzzDocument } from './fuzz-operations.ts'
import { fuzz, type FuzzReport, type FuzzTarget } from './fuzz-run.ts'
import type { FuzzedRequest } from './fuzzed-request.ts'

const asJson = (document: object): FuzzDocument => JSON.parse(JSON.stringify(document)) as FuzzDocument
const publicDocument = asJson(publicOpenApi())
const operatorDocument = asJson(operatorOpenApi())

/** Values that many requests need and no answer contains. */
const knownTexts = {
  url: 'https://example.com/hook',
  address: ownWallet,
  date: '2026-03-01',
  hash: 'ab'.repeat(32),
  expires_at: '2026-06-01T00:00:00.000Z',
}

/** Ids that a tenant reads in its lists, which operators may then name. */
const recordsOf = (tenant: TestTenant): Promise<unknown[]> =>
  Promise.all(
    ['payouts', 'deposits', 'events', 'webhooks', 'wallets'].map(
      async (list): Promise<unknown> => (await tenant.get(`/v1/${list}`)).json,
    ),
  )

/**
 * Fuzzes both listeners of one API over memory stores, in turn. Lost answers of the network, deposits, webhooks and time
 * happen in between. Faults of answers, log lines and money are added to the report.
 */
export async function fuzzApi(requests: number, seed: number, report: FuzzReport): Promise<void> {
  const api = await testApi()
  // As the guard of processes does, without looking names up.
  api.webhooks.checkUrl = async (url) => (URL.canParse(url) ? null : 'must be a URL')
  try {
    const tenants = [await api.tenant(), await api.tenant()] as const
    const reader = await api.tenant({ scopes: ['payouts:read'] })
    const secrets = secretsOf([...tenants, reader])
    const [first] = tenants
    await first.get('/v1/wallets')
    const turn = between(api, first)
    const openToAll: FuzzTarget = {
      url: api.url,
      known: knownTexts,
      document: publicDocument,
      credential: (number) => keyHeader(number, [...tenants, reader]),
      check: ownershipOf(secrets),
    }
    const half = Math.ceil(requests / 2)
    await fuzz(openToAll, { requests: half, seed }, report, turn)
    const operators: FuzzTarget = {
      url: api.operatorUrl,
      document: operatorDocument,
      known: [knownTexts, await recordsOf(first)],
      credential: tokenHeader,
      check: (request, answer, json) => secrets.check(request, answer, json),
    }
    await fuzz(operators, { requests: requests - half, seed }, report, turn)
    await api.settled()
    for (const fault of [...secrets.inLines(linesOf(api)), ...(await moneyFaults(api))]) report.faults.push(fault)
    for (const { url, path } of healthOf(api)) {
      const { status } = await fetch(url + path)
      if (status !== 200) report.faults.push(`${path} answered ${status} after the run`)
    }
  } finally {
    await api.stop()
  }
}

const linesOf = (api: TestApi) => api.lines() as readonly { readonly level: number }[]

const healthOf = ({ url, operatorUrl }: TestApi) =>
  [url, operatorUrl].flatMap((each) => ['/healthz', '/readyz'].map((path) => ({ url: each, path })))

/** Every 40 requests: a deposit, a lost answer, due webhooks, and a second that passes. */
function between(api: TestApi, tenant: TestTenant): (number: number) => Promise<void> {
  const makeDeposit = depositMaker(api.stores, api.clock.now)
  return async (number) => {
    const isLost = number % 8 === 0
    api.hooks.answering = async ({ type }) => (isLost && type === 'pay' ? 'lost' : 'arrives')
    if (number % 40 !== 0) return
    // A requested rotation retires the address until the tenant reads its wallet.
    await tenant.get('/v1/wallets')
    const [address] = await api.stores.addresses.list(tenant.id)
    if (address) await makeDeposit({ tenantId: tenant.id, value: number % 80 === 0 ? 2_500_000n : 500_000n })
    await api.deliver()
    api.clock.step(1_000)
  }
}

function keyHeader(number: number, tenants: readonly TestTenant[]): Record<string, string> {
  const [first, second, reader] = tenants.map(({ key }) => ({ 'X-API-Key': key }))
  if (number < 75) return first ?? {}
  if (number < 88) return second ?? {}
  if (number < 94) return reader ?? {}
  return number < 97 ? {} : { 'X-API-Key': `qpu_test_${'ab'.repeat(20)}` }
}

const operatorTokens = [operatorToken, base64Token, 'operators', 'viewers', 'auditors']

function tokenHeader(number: number): Record<string, string> {
  if (number >= 98) return {}
  if (number >= 95) return { Authorization: 'Bearer nobody' }
  const index = number < 60 ? 0 : number < 80 ? 1 : 2 + (number % 3)
  return { Authorization: `Bearer ${operatorTokens[index] ?? ''}` }
}

/** Secrets that only their owner may see: fixed keys and tokens, and each that an answer makes. */
type Secrets = {
  /** Which secrets an answer shows that it did not make. */
  check(request: FuzzedRequest, answer: FuzzedAnswer, json: unknown): string[]
  inLines(lines: readonly { readonly level: number }[]): string[]
}

function secretsOf(tenants: readonly TestTenant[]): Secrets {
  const keys = tenants.map(({ key }) => key)
  const texts = new Set([...keys, operatorToken, base64Token, callbackSecret])
  const shownIn = (text: string): string[] =>
    Array.from(texts)
      .filter((secret) => text.includes(secret))
      .map((secret) => `shows the secret ${secret.slice(0, 12)}…`)
  return {
    check({ operation }, { text }, json) {
      const found = shownIn(text)
      const { secret, key } = (json ?? {}) as { readonly secret?: unknown; readonly key?: unknown }
      if (operation.method === 'POST') for (const made of [secret, key]) if (typeof made === 'string') texts.add(made)
      return found
    },
    inLines(lines) {
      const errors = lines.filter(({ level }) => level >= 50).map((line) => JSON.stringify(line))
      return [...errors, ...shownIn(JSON.stringify(lines)).map((fault) => `a log line ${fault}`)]
    },
  }
}

/** Each record that a tenant reads is its own. */
function ownershipOf(secrets: Secrets): NonNullable<FuzzTarget['check']> {
  const owners = new Map<string, string>()
  const ownerOf = (number: number): string => (number < 75 ? 'first' : 'other')
  return (request, answer, json) => {
    const faults = secrets.check(request, answer, json)
    const owner = ownerOf(request.credential)
    if (owner === 'other' && request.credential >= 88) return faults
    for (const id of idsIn(json)) {
      if (!owners.has(id)) owners.set(id, owner)
      else if (owners.get(id) !== owner) faults.push(`shows ${id} of another tenant`)
    }
    return faults
  }
}

function idsIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) =>
    name === 'id' && typeof value === 'string' ? [value] : idsIn(value),
  )
}

/** Postings, balances, payouts and the network's payments must agree, for every tenant. */
async function moneyFaults({ stores, network }: TestApi): Promise<string[]> {
  const faults: string[] = []
  const paid = new Map<string, bigint>()
  for await (const { reference, amount } of network.statement(new Date(0), new Date(8.64e15)))
    paid.set(reference, amount.minor)
  const { items: all } = await stores.tenants.list({ limit: 100_000 })
  for (const { id } of all) {
    const wallet = await stores.wallets.find(id)
    const totals = await stores.wallets.totals(id)
    if (!wallet || !isBalanced(wallet, totals)) faults.push(`the wallet of ${id} is not balanced`)
    const { items: payouts } = await stores.payouts.list(id, { limit: 100_000 })
    const held = payouts
      .filter(({ status }) => status === 'processing')
      .reduce((sum, { quote }) => sum + (quote?.source.minor ?? 0n), 0n)
    if (wallet?.held.minor !== held) faults.push(`${id} holds another amount than its payouts`)
    for (const { id: payoutId, status, target } of payouts) {
      if (status === 'completed' && paid.get(payoutId) !== target.minor)
        faults.push(`${payoutId} is completed and the network did not pay it`)
      if (status !== 'completed' && status !== 'processing' && paid.has(payoutId))
        faults.push(`${payoutId} is ${status} and the network paid it`)
    }
  }
  return faults
}
