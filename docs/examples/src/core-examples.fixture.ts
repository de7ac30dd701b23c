import { createHash } from 'node:crypto'
import * as quipu from '@quipu/core'
import { foundDifference } from '@quipu/contracts'
import type { BlockRef, ChainBlock, TokenTransfer } from '@quipu/core/adapter'
import { makeOperatorToken, manageApiKeys, manageProposals, manageTenants, type SweepChain } from '@quipu/core/operator'
import { memoryQrNetwork, memoryStores } from '@quipu/memory'
import { systemPorts } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const raise = (problem: unknown) => {
  throw new Error(JSON.stringify(problem))
}
const system = { ...systemPorts({ onError: raise }), encodeEvent, raiseAlert: raise }
const { now, random } = system

/** A chain without forks: every block is solid at once. */
function openChain() {
  const blocks: ChainBlock[] = []
  const refOf = ({ number, id, at }: ChainBlock): BlockRef => ({ number, id, at })
  const addBlock = (transfers: readonly TokenTransfer[]): number => {
    const number = blocks.length
    const [id, parentId] = [sha256(`block ${number}`), sha256(`block ${number - 1}`)]
    const transactions = transfers.map(({ txHash }) => txHash)
    const block = { number, id, parentId, at: now(), transactions, transfers }
    blocks.push({ ...block, unknownTokenTransfers: [] })
    return number
  }
  // A scan starts above the genesis block.
  addBlock([])
  addBlock([])
  const newest = () => blocks.at(-1) ?? raise('no block')
  const reader: quipu.ChainReader = {
    chain: 'tron',
    head: async () => refOf(newest()),
    block: async (_, number) => blocks[number],
    ref: async (_, number) => blocks[number] && refOf(blocks[number]),
    blockOf: async (txHash) => blocks.find(({ transactions }) => transactions.includes(txHash))?.number,
    tokenState: async () => 'normal',
    isBlocked: async () => false,
  }
  return {
    reader,
    /** Puts the transfer into a block, and another block after it. */
    transfer: (to: string, { minor: value }: quipu.Usdt) => {
      const transfer = { txHash: sha256(`${blocks.length}`), index: 0, from: 'a'.repeat(40), to, value }
      const block = addBlock([{ ...transfer, expiresAt: new Date(now().getTime() + 60_000) }])
      addBlock([])
      return { ...transfer, block }
    },
  }
}

const format: quipu.AddressFormat = { format: (account) => `T${account}`, parse: (text) => text.slice(1) }
const addressSource: quipu.AddressSource = {
  derive: (index) => {
    const account = sha256(`top-up ${index}`).slice(0, 40)
    return { account, address: format.format(account) }
  },
}
const faucet = {
  signer: {
    account: 'f'.repeat(40),
    sign: async (order) => ({
      txHash: sha256(`${order.to} ${order.at.getTime()}`),
      bytes: new Uint8Array(),
      expiresAt: order.expiresAt,
    }),
  } satisfies quipu.TransferSigner,
  broadcaster: {
    canReceive: () => true,
    prepare: async () => 1_000_000n,
    broadcast: async () => 'accepted',
    outcome: async () => ({ type: 'confirmed' }),
  } satisfies quipu.Broadcaster,
}
/** A chain whose top-up addresses are empty. */
const sweepChain: SweepChain = {
  tokenBalances: async (accounts) => ({
    from: 0,
    through: 1,
    balances: new Map(accounts.map((account) => [account, 0n])),
    unread: [],
  }),
  cost: async () => undefined,
  build: async () => raise('nothing to build'),
  join: () => undefined,
}
const webhooks = {
  secretBox: {
    keyIds: ['1'],
    encrypt: (secret, context) => `1.${JSON.stringify([secret, context])}`,
    decrypt: (text, context) => {
      const [secret, sameContext] = JSON.parse(text.slice(2)) as [string, string]
      return sameContext === context ? secret : undefined
    },
  } satisfies quipu.SecretBox,
  sender: {
    send: async () => ({ statusCode: 200, latencyMs: 12, error: null, excerpt: 'ok' }),
  } satisfies quipu.WebhookSender,
  urlGuard: { check: async () => null } satisfies quipu.WebhookUrlGuard,
}

/** An admin with a token. */
function operatorNamed(person: string) {
  const expiresAt = new Date(now().getTime() + 86_400_000)
  const request = { person, label: 'laptop', role: 'admin', expiresAt } as const
  const { issued } = makeOperatorToken(system, request)
  return { issued, operator: { person, role: 'admin', tokenHash: issued.hash } } as const
}

/** The records that the examples of `@quipu/core` start from. */
export async function openExample() {
  const [first, second] = [operatorNamed('ana'), operatorNamed('bea')]
  const [ana, bea] = [first.operator, second.operator]
  const network = memoryQrNetwork({ now })
  const chain = openChain()
  const rates = { current: async () => ({ bid: quipu.rate(99_500n), source: 'fixed', observedAt: now() }) }
  const ports = {
    ...memoryStores({ now, operatorTokens: [first.issued, second.issued] }),
    ...system,
    ...faucet,
    ...webhooks,
    network,
    rates,
    reader: chain.reader,
    chain: sweepChain,
    addressSource,
    format,
    addressMacKeys: [{ id: '1', key: random(32) }] as const,
    runMacKeys: [{ id: '1', key: random(32) }] as const,
  }
  const tenant = await manageTenants(ports).create(ana, {
    legalName: 'Pagos del Sur S.R.L.',
    technicalContact: { name: 'Rosa Quispe', email: 'rosa@pagos.example' },
    pricing: {},
  })
  const amount = quipu.usdt(1_000_000_000n)
  // Within the approval limit one operator suffices.
  const proposals = manageProposals(ports, { approvalLimit: amount, approvableSeconds: 60 })
  const note = { reason: 'funds', evidence: null }
  await proposals.adjustWallet(ana, tenant.id, { direction: 'in', amount }, note)
  const qr = await network.issue({
    amountMode: 'closed',
    amount: quipu.bob(100_00n),
    merchantName: 'Salteñas Doña Elvira',
    description: null,
    scenario: 'paid',
  })
  const key = { name: 'checkout', scopes: ['payouts:write'], expiresAt: null } as const
  const issued = await manageApiKeys(ports, 'test').issue(ana, tenant.id, key)
  if (issued.type === 'refused') throw new Error(issued.code)
  await makeEvent(ports, tenant, qr)
  await ports.differences.record([foundDifference(ports.ids)], now())
  const target = quipu.bob(100_00n)
  return { ports, tenant, qr: { ...qr, amount: target }, chain, apiKey: issued.key, ana, bea }
}

export type Example = Awaited<ReturnType<typeof openExample>>

/** An event that moved no money, for an endpoint: the payout of a quote for another amount. */
async function makeEvent(
  ports: quipu.ManageWebhooksPorts & quipu.CreateQuotePorts & quipu.CreatePayoutPorts,
  tenant: quipu.Tenant,
  { content }: { readonly content: string },
): Promise<void> {
  const endpoint = { url: 'https://hooks.example/quipu', events: null, description: null }
  await quipu.manageWebhooks(ports, quipu.defaultEndpointPolicy).create(tenant.id, endpoint)
  const other = { target: quipu.bob(1_00n), resolutionId: null }
  const quoted = await quipu.createQuote(ports, { lifeSeconds: 60 })(tenant, other)
  if (quoted.type === 'refused') throw new Error(quoted.code)
  const order = { transactionId: 'another amount', content, quoteId: quoted.quote.id }
  const request = { ...order, description: null, fingerprint: 'another amount' }
  await quipu.createPayout(ports, quipu.defaultPayoutSettings)(tenant, request)
}
