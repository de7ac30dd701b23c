// Writes openapi.ts: `pnpm run generate`.
import { writeFileSync } from 'node:fs'
import { publicOpenApi } from '@quipu/wire'
import { type Document, typesFromOpenApi } from './types-from-openapi.fixture.ts'

writeFileSync(new URL('openapi.ts', import.meta.url), typesFromOpenApi(publicOpenApi() as unknown as Document))
