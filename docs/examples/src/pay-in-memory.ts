import * as quipu from '@quipu/core'
import * as operator from '@quipu/core/operator'
import { memoryQrNetwork, memoryStores } from '@quipu/memory'
import { systemPorts } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'

// The core has no clock, no randomness, no price and no alert channel: the program passes them in.
const system = systemPorts()
const { now } = system
const rates = { current: async () => ({ bid: quipu.rate(99_500n), source: 'fixed', observedAt: now() }) }
const network = memoryQrNetwork({ now })

// The first operator. Its token can authenticate requests; this program acts without one.
const expiresAt = new Date(now().getTime() + 86_400_000)
const request = { person: 'me', label: 'laptop', role: 'operator', expiresAt } as const
const { issued } = operator.makeOperatorToken(system, request)
const me = { person: 'me', role: 'operator', tokenHash: issued.hash } as const

const stores = memoryStores({ now, operatorTokens: [issued] })
const ports = { ...stores, ...system, network, rates, encodeEvent, raiseAlert: console.error }
const createQuote = quipu.createQuote(ports, { lifeSeconds: 60 })
const createPayout = quipu.createPayout(ports, quipu.defaultPayoutSettings)

// A tenant with a margin of 1.5 % below the market's rate, and 1,000 USDT.
const legal = { legalName: 'Pagos del Sur S.R.L.', pricing: { marginBps: 150 } }
const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
const tenant = await operator.manageTenants(ports).create(me, { ...legal, technicalContact })
// Nobody moves money alone by default. Here one person may, up to the limit.
const alone = { ...operator.defaultProposalSettings, approvalLimit: quipu.usdt(1_000_000_000n) }
const funds = { direction: 'in', amount: quipu.usdt(1_000_000_000n) } as const
const note = { reason: 'funds', evidence: null }
await operator.manageProposals(ports, alone).adjustWallet(me, tenant.id, funds, note)

// A merchant shows a QR of BOB 100.00: quote it and pay it.
const target = quipu.bob(100_00n)
const qr = { amountMode: 'closed', amount: target, description: null, scenario: 'paid' } as const
const { content } = await network.issue({ ...qr, merchantName: 'Salteñas Doña Elvira' })
const quoted = await createQuote(tenant, { target, resolutionId: null })
if (quoted.type === 'refused') throw new Error(quoted.code)
const order = { transactionId: 'order-1', content, description: null, fingerprint: 'order-1' }
const paid = await createPayout(tenant, { ...order, quoteId: quoted.quote.id })
if (paid.type === 'refused') throw new Error(paid.code)

const { id, status } = paid.payout
const { items: events } = await ports.events.list(tenant.id, { limit: 1 })
console.log(id, status, quipu.toDecimal(quoted.quote.source), 'USDT')
console.log(new TextDecoder().decode(events[0]?.body))
