import { referencePage, type ReferencePage } from '@quipu/reference'
import { publicOpenApi } from '@quipu/wire'

/** Of the API that serves it, and of an example server that anybody may call. */
export const pageFor = (exampleUrl: string): ReferencePage =>
  referencePage(JSON.stringify(publicOpenApi()), 'v1/openapi.json', [
    { name: 'This server', url: '' },
    { name: 'Example server', url: exampleUrl, freeKeyPrefix: 'qpu_mock_' },
  ])
