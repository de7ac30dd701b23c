import type { NetworkCapabilities, QrNetwork as Network } from '@quipu/core'
import type { NetworkRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members, text, wordsOf } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'

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

/** The body of `POST /operator/v1/network/confirm`. */
export const networkConfirmation = members({
  identity: text(1, 255).meta({ examples: ['https://qr.example'] }),
  reason: text(1, 500).meta({ examples: ['The network has moved to this address.'] }),
}).meta({ id: 'NetworkConfirmationRequest' })

/** Reads the body of `POST /operator/v1/network/confirm`. */
export const parseNetworkConfirmation = (
  body: unknown,
): Parsed<{ readonly identity: string; readonly reason: string }> => parse(networkConfirmation, body)
