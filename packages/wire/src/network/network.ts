import type { NetworkRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members, text } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { parse, type Parsed } from '../json/parsed.ts'

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
  })
  .meta({ id: 'QrNetwork' })
export type QrNetworkJson = z.output<typeof qrNetwork>

export const qrNetworkToJson = ({ network, halts }: NetworkRecord): QrNetworkJson => ({
  identity: network?.identity ?? null,
  confirmed_at: network && instantToJson(network.at),
  confirmed_by: network?.by ?? null,
  reason: network?.reason ?? null,
  halts: halts.map(({ identity, payoutId, since }) => ({ identity, payout_id: payoutId, since: instantToJson(since) })),
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
