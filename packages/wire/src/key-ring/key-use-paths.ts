import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import { keysToJson, keyUse } from './key-use.ts'

const read = operation({
  id: 'getKeyUse',
  tag: 'Service',
  summary: 'Count what each key of the environment has made',
  description:
    'Shows how far a rotation of `WEBHOOK_SECRET_KEY` or `ADDRESS_MAC_KEY` is. Workers renew what older keys made, at their start and every hour.',
  access: 'operator',
  answers: ok('The counts.', keyUse, {
    rotating: {
      webhook_secrets: keysToJson(
        ['2', '1'],
        [
          { keyId: '1', count: 3 },
          { keyId: '2', count: 39 },
        ],
      ),
      address_macs: keysToJson(['1'], [{ keyId: '1', count: 12 }]),
    },
  }),
  refused: parseNoQuery('setting=ADDRESS_MAC_KEY'),
})

export const keyUsePaths: ZodOpenApiPathsObject = { '/operator/v1/key-use': { get: read } }
