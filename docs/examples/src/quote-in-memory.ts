import { bob, createQuote, rate, toDecimal } from '@quipu/core'
import { makeOperatorToken, manageTenants } from '@quipu/core/operator'
import { memoryStores } from '@quipu/memory'
import { systemPorts } from '@quipu/core/system'

// The core has no clock, no randomness and no price: a program passes them in, as it does the stores.
const system = systemPorts()
const { now } = system
const rates = { current: async () => ({ bid: rate(99_500n), source: 'fixed', observedAt: now() }) }

// An operator, who creates the tenant. The store has the hash of the token, never the token.
const expiresAt = new Date(now().getTime() + 86_400_000)
const request = { person: 'me', label: 'laptop', role: 'admin', expiresAt } as const
const { issued } = makeOperatorToken(system, request)
const me = { person: 'me', role: 'admin', tokenHash: issued.hash } as const
const ports = { ...memoryStores({ now, operatorTokens: [issued] }), ...system, rates }

const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
const input = { legalName: 'Pagos del Sur S.R.L.', technicalContact, pricing: { marginBps: 150 } }
const tenant = await manageTenants(ports).create(me, input)
const quote = createQuote(ports, { lifeSeconds: 60 })
const answer = await quote(tenant, { target: bob(100_00n), resolutionId: null })
if (answer.type === 'quote') console.log(toDecimal(answer.quote.source), 'USDT')
