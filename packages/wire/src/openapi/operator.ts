import { createDocument } from 'zod-openapi'
import { answersMayGrow, license, type OpenApiDocument } from './document.ts'
import { keyPaths } from '../operator/api-key-paths.ts'
import { reviewPaths } from '../operator/deposit-paths.ts'
import { healthPaths, metricsPaths } from '../service/service-paths.ts'
import { tenantPaths } from '../operator/tenant-paths.ts'

/** The OpenAPI 3.1 document of the operator's API. */
export const operatorOpenApi = ({
  serverUrl = '/',
}: {
  /** The base URL that the paths are relative to, without `/operator/v1`. Default: where the document lies. */
  readonly serverUrl?: string
} = {}): OpenApiDocument =>
  createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Quipu operator',
        version: '1.0.0',
        license,
        description:
          'Onboards tenants and resolves deposits in review. Conventions are those of the public API. A `viewer` reads; an `operator` also writes; an `admin` also sets pricing and issues keys that can pay. Every change is recorded with who made it, and so are failed logins and what a role does not allow.',
      },
      servers: [{ url: serverUrl }],
      tags: [
        { name: 'Tenants', description: 'Who may pay, and at what price.' },
        { name: 'API keys', description: 'What tenants authenticate with.' },
        {
          name: 'Deposits',
          description: 'What came in on the chain, and what waits for a decision.',
        },
        { name: 'Service', description: 'About the service itself.' },
      ],
      paths: { ...tenantPaths, ...keyPaths, ...reviewPaths, ...healthPaths, ...metricsPaths },
      components: {
        securitySchemes: {
          OperatorToken: { type: 'http', scheme: 'bearer', description: 'A named operator token.' },
        },
      },
    },
    answersMayGrow,
  )
