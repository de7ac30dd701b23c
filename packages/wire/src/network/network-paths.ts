import { cancelling } from '@quipu/core'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import {
  type ConfiguredNetwork,
  networkConfirmation,
  parseNetworkConfirmation,
  qrNetwork,
  qrNetworkToJson,
} from './network.ts'

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
