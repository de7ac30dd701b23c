import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { IRouter } from 'express'
import { lazy } from './lazy.ts'
import { bind } from './routing.ts'

export type Page = {
  readonly html: string
  /** With the media type. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Serves a page that is constant for the life of the process, compressed and with an ETag. It is made
 * at the first request.
 */
export function pageRoute(router: IRouter, path: string, make: () => Promise<Page>): void {
  const page = lazy(async () => encoded(await make()))
  bind(router, path, {
    async get(req, res) {
      const { headers, plain, zipped } = await page()
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      if (req.fresh) {
        res.statusCode = 304
        res.end()
        return
      }
      const isZipped = req.acceptsEncodings('gzip') === 'gzip'
      if (isZipped) res.setHeader('Content-Encoding', 'gzip')
      const body = isZipped ? zipped : plain
      res.setHeader('Content-Length', body.length)
      res.end(body)
    },
  })
  bind(router, `${path}/`, {
    get(_req, res) {
      res.statusCode = 308
      res.setHeader('Location', `..${path}`)
      res.end()
    },
  })
}

type EncodedPage = Pick<Page, 'headers'> & { readonly plain: Buffer; readonly zipped: Buffer }

async function encoded({ html, headers }: Page): Promise<EncodedPage> {
  const plain = Buffer.from(html)
  const zipped = await promisify(gzip)(plain, { level: 9 })
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // A weak ETag, since it is the same for both encodings. Caches must revalidate the page.
  const caching = { ETag: `W/"${digest}"`, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
  return { headers: { ...headers, ...caching }, plain, zipped }
}
