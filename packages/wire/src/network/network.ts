import { type NetworkCapabilities, type QrNetwork as Network, cancelling } from '@quipu/core'
import type { NetworkRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members, text, wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

/** The network of a process, and the abilities of its adapter. */
export type ConfiguredNetwork = Pick<Network, 'identity' | 'capabilities'>

const proofs = wordsOf<NetworkCapabilities['unpaidProof']['by']>({ cancel: true, statement: true, people: true })

const capabilities = z
  .object({
    unpaid_proof: z
      .enum(proofs)
      .meta({
        description:
          'The proof that an order was not paid: the network cancels its reference; its statement lacks it after `unpaid_after_seconds`; or two people settle by evidence.',
      }),
    unpaid_after_seconds: z.int().nullable(),
    identity_proof: z.enum(wordsOf<NetworkCapabilities['identityProof']>({ status: true, statement: true })),
    repeatable_pay: z.boolean().meta({ description: 'A repeated order pays nothing twice.' }),
    single_use_reading: z.boolean().meta({ description: 'Each payout reads its QR anew.' }),
    reference_at_pay: z.boolean().meta({ description: 'The order may get another reference than the reading.' }),
    callbacks: z.boolean(),
    statement_grain: z.enum(wordsOf<NetworkCapabilities['statementGrain']>({ instant: true, day: true })),
  })
  .meta({ id: 'NetworkCapabilities', description: 'What the network of this API can do and can prove.' })
type CapabilitiesJson = z.output<typeof capabilities>

/** An ability that the core adds does not compile before it has its member here. */
function capabilitiesToJson(network: NetworkCapabilities): CapabilitiesJson {
  const { unpaidProof, identityProof, isPayRepeatable, isReadingSingleUse, givesReferenceAtPay, ...rest } = network
  const { hasCallbacks, statementGrain, ...others } = rest
  return {
    ...(others satisfies Readonly<Record<string, never>>),
    unpaid_proof: unpaidProof.by,
    unpaid_after_seconds: unpaidProof.by === 'statement' ? unpaidProof.afterSeconds : null,
    identity_proof: identityProof,
    repeatable_pay: isPayRepeatable,
    single_use_reading: isReadingSingleUse,
    reference_at_pay: givesReferenceAtPay,
    callbacks: hasCallbacks,
    statement_grain: statementGrain,
  }
}

/** At which QR network payouts are ordered, and what halts. */
export const qrNetwork = z
  .object({
    identity: z
      .string()
      .nullable()
      .meta({ description: 'The network of this database: `QR_NETWORK_IDENTITY`, or the URL.' }),
    confirmed_at: time.nullable(),
    confirmed_by: z
      .string()
      .nullable()
      .meta({ description: 'The admin who confirmed it; null for the network of the first process.' }),
    reason: z.string().nullable(),
    halts: z
      .array(
        z.object({
          identity: z.string(),
          payout_id: z
            .string()
            .nullable()
            .meta({ description: 'A completed payout that it did not know; null for another network.' }),
          since: time,
        }),
      )
      .meta({ description: 'Networks whose processes neither pay nor settle.' }),
    configured: z.object({
      identity: z
        .string()
        .meta({ description: 'The network of this API; it may be another one than that of the database.' }),
      capabilities,
    }),
  })
  .meta({ id: 'QrNetwork' })
export type QrNetworkJson = z.output<typeof qrNetwork>

export const qrNetworkToJson = (
  { network, halts }: NetworkRecord,
  { identity, capabilities: abilities }: ConfiguredNetwork,
): QrNetworkJson => ({
  identity: network?.identity ?? null,
  confirmed_at: network && instantToJson(network.at),
  confirmed_by: network?.by ?? null,
  reason: network?.reason ?? null,
  halts: halts.map(({ identity: halted, payoutId, since }) => ({
    identity: halted,
    payout_id: payoutId,
    since: instantToJson(since),
  })),
  configured: { identity, capabilities: capabilitiesToJson(abilities) },
})

const networkConfirmation = members({
  identity: text(1, 255).meta({ examples: ['https://qr.example'] }),
  reason: text(1, 500).meta({ examples: ['The network has moved to this address.'] }),
}).meta({ id: 'NetworkConfirmationRequest' })

/** Reads the body of `POST /operator/v1/network/confirm`. */
export const parseNetworkConfirmation = (
  body: unknown,
): Parsed<{ readonly identity: string; readonly reason: string }> => parse(networkConfirmation, body)

const tag = 'QR network'
const identity = 'https://qr.example'
const first = { identity, at: example.at(0), by: null, reason: null }
const reason = 'The network has moved to this address.'
const moved = { identity: 'https://new.qr.example', at: example.at(60), by: 'ada', reason }
const since = example.at(30)
const ours: ConfiguredNetwork = { identity, capabilities: cancelling }
const theirs: ConfiguredNetwork = {
  identity: moved.identity,
  capabilities: { ...cancelling, unpaidProof: { by: 'people' } },
}

const get = operation({
  id: 'getNetwork',
  tag,
  summary: 'Read at which QR network payouts are ordered, and what it can do',
  access: 'operator',
  answers: ok('The network, and what halts.', qrNetwork, {
    ours: qrNetworkToJson({ network: first, halts: [] }, ours),
    other: qrNetworkToJson({ network: first, halts: [{ identity: moved.identity, payoutId: null, since }] }, theirs),
    forgetful: qrNetworkToJson({ network: first, halts: [{ identity, payoutId: example.completed.id, since }] }, ours),
  }),
  refused: parseNoQuery('expand=halts'),
})

const confirm = operation({
  id: 'confirmNetwork',
  tag,
  summary: 'Confirm the QR network at which payouts are ordered',
  description:
    'The network has moved, or it came back without its ledger. From now on processes with this network pay and settle, and those with another one do not. Payouts that were ordered before are not cancelled there, unless it knows what was completed before: settle them by evidence. Needs the role `admin`. Of the database’s own network that is not halted, the request changes nothing.',
  access: 'operator',
  body: { schema: networkConfirmation, examples: { moved: { identity: moved.identity, reason } } },
  answers: ok('The network is confirmed.', qrNetwork, {
    moved: qrNetworkToJson({ network: moved, halts: [] }, theirs),
  }),
  refused: parseNetworkConfirmation({ identity: '', reason: '' }),
})

export const networkPaths: ZodOpenApiPathsObject = {
  '/operator/v1/network': { get },
  '/operator/v1/network/confirm': { post: confirm },
}
