// Writes openapi.ts and version.ts: `pnpm run generate`.
import { readFileSync, writeFileSync } from 'node:fs'
import { publicOpenApi } from '@quipu/wire'
import { type Document, typesFromOpenApi } from './types-from-openapi.fixture.ts'

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
const { version } = JSON.parse(manifest) as { readonly version: string }
writeFileSync(
  new URL('../version.ts', import.meta.url),
  `/** That of the package, written by \`pnpm run generate\`. */\nexport const version = '${version}'\n`,
)
writeFileSync(new URL('openapi.ts', import.meta.url), typesFromOpenApi(publicOpenApi() as unknown as Document))
