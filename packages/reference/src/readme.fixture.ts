import { referencePage, type ReferencePage } from '@quipu/reference'
import { publicOpenApi } from '@quipu/wire'

/** A page for the API that serves it, and for an example server that accepts generated keys. */
export const pageFor = (exampleUrl: string): Promise<ReferencePage> =>
  referencePage(JSON.stringify(publicOpenApi()), {
    documentPath: 'v1/openapi.json',
    guides: ['tutorial', 'webhooks'],
    servers: [
      { name: 'This server', url: '' },
      { name: 'Example server', url: exampleUrl, freeKeyPrefix: 'qpu_mock_' },
    ],
  })
